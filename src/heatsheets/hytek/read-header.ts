/** The line that names the columns of an event: "Lane Name Age Team Seed Time", "Team Relay Seed Time". */
import type { Row } from "../group-rows.ts";

export interface Header {
  /** Rows start with a lane; otherwise with a rank. */
  lanes: boolean;
  /** Rows are teams. */
  relay: boolean;
  /** School years stand where others have ages. */
  years: boolean;
  /** Times that were swum stand in it. */
  results: boolean;
  /** Where the columns of the rows are; null where the header's words say nothing about them, as in extracted text. */
  edges: Edges | null;
}

export interface Edges {
  nameLeft: number;
  ageRight: number | null;
  teamLeft: number | null;
  /** Where the next column after the team starts. */
  teamEnd: number | null;
  relayLeft: number | null;
}

const labels = new Set(
  "lane name age yr year team school relay seed time prelims prelim finals final semis entry id id# # exceptions class points rank place".split(
    " ",
  ),
);

export function readHeader(row: Row): Header | null {
  const words = row.words.map(({ text, box }) => ({ label: text.toLowerCase().replace(/[:.]$/, ""), box }));
  if (words.length < 3 || !words.every(({ label }) => labels.has(label))) return null;
  const at = (...names: string[]) => words.find(({ label }) => names.includes(label));
  const who = at("name") ?? at("team", "school");
  const relay = at("relay");
  const age = at("age", "yr", "year");
  const team = at("name") && at("team", "school");
  if (!who || !(relay || age || team)) return null;
  const after = team && words[words.indexOf(team) + 1];
  const next = words[words.indexOf(who) + 1];
  // Set in a table, a label stands over the whole width of its column; in extracted text one space follows it.
  const spread = next !== undefined && next.box.x - (who.box.x + who.box.width) > 2 * who.box.height;
  return {
    lanes: at("lane") !== undefined,
    relay: relay !== undefined,
    years: at("yr", "year") !== undefined,
    results: at("lane") === undefined && at("seed") !== undefined && at("finals", "final", "points") !== undefined,
    edges: spread
      ? {
          nameLeft: who.box.x,
          ageRight: age ? age.box.x + age.box.width : null,
          teamLeft: team?.box.x ?? null,
          teamEnd: after?.box.x ?? null,
          relayLeft: relay?.box.x ?? null,
        }
      : null,
  };
}

/** The header's columns, as they are in another column of the page. */
export function moveEdges(edges: Edges, by: number): Edges {
  const move = (x: number | null) => (x === null ? null : x + by);
  return {
    nameLeft: edges.nameLeft + by,
    ageRight: move(edges.ageRight),
    teamLeft: move(edges.teamLeft),
    teamEnd: move(edges.teamEnd),
    relayLeft: move(edges.relayLeft),
  };
}
