/** Reads the structure files of the ICDAR 2013 table competition: cell by cell, written by people. */
import type { ScoredTable } from "./table-adjacency.ts";

/** One table for each region, since a table that goes on over pages is found page by page. */
export function readIcdarTruth(xml: string): { page: number; table: ScoredTable }[] {
  const found: { page: number; table: ScoredTable }[] = [];
  for (const [, attributes = "", body = ""] of xml.matchAll(/<region\b([^>]*)>([\s\S]*?)<\/region>/g)) {
    const cells = [...body.matchAll(/<cell\b([^>]*)>([\s\S]*?)<\/cell>/g)];
    found.push({
      page: numberOf(attributes, "page") ?? 0,
      table: cells.map(([, place = "", content = ""]) => cellOf(place, content)),
    });
  }
  return found;
}

function cellOf(place: string, content: string): ScoredTable[number] {
  const row = numberOf(place, "start-row") ?? 0;
  const column = numberOf(place, "start-col") ?? 0;
  return {
    row,
    column,
    rowSpan: (numberOf(place, "end-row") ?? row) - row + 1,
    columnSpan: (numberOf(place, "end-col") ?? column) - column + 1,
    text: unescapeXml(/<content>([\s\S]*?)<\/content>/.exec(content)?.[1] ?? ""),
  };
}

function numberOf(attributes: string, name: string): number | undefined {
  const value = new RegExp(`\\b${name}=["'](-?\\d+)["']`).exec(attributes)?.[1];
  return value === undefined ? undefined : Number(value);
}

const entities: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

function unescapeXml(text: string): string {
  return text.replace(/&(#x?[\da-f]+|\w+);/gi, (all, name: string) => {
    if (name.startsWith("#x")) return String.fromCodePoint(Number.parseInt(name.slice(2), 16));
    if (name.startsWith("#")) return String.fromCodePoint(Number(name.slice(1)));
    return entities[name] ?? all;
  });
}
