/** Small heat sheets of invented meets for tests of batches: one page, three events, a swimmer whose place is known. */
import type { SampleFile } from "./document-place.ts";
import { writeHytekProgram } from "./sheets/hytek-program.ts";
import { writeHytekPsych } from "./sheets/hytek-psych.ts";
import type { Meet, MeetEntry, MeetEvent } from "./sheets/make-meet.ts";
import { writeSessionReport, writeUnknownLayout } from "./sheets/other-documents.ts";
import type { Swimmer, Team } from "./sheets/people.ts";

/** In events 1 and 3 of every meet. */
export const swimmer = "Zoë Fernwright";
/** In event 2 of every meet. */
export const otherSwimmer = "Milo Thornquist";

interface TinyMeetOptions {
  /** Makes the file one of its own, and nothing else. */
  tag?: string;
  name?: string;
  /** The swimmer's lane in event 1. */
  lane?: number;
  round?: string;
}

const team: Team = { code: "OTTR-XX", name: "Otter Creek Aquatics" };
const lanes = 4;

export function makeTinyMeet(options: TinyMeetOptions = {}): Meet {
  const { tag = "", name = "Invented Waters Open 2031", lane = 2, round = "Finals" } = options;
  const girl = makeSwimmer("Zoë", "Fernwright", "W");
  const boy = makeSwimmer("Milo", "Thornquist", "M");
  const girls = ["Runa Birchley", "Petra Alderholt", "Ines Marlmead"].map((full) => nameSwimmer(full, "W"));
  const boys = ["Dirk Ivermark", "Quin Rowanfeld", "Cato Elmridge"].map((full) => nameSwimmer(full, "M"));
  const events = [
    makeEvent({ number: 1, sex: "Girls", distance: 50, stroke: "Freestyle", round }, [girls, [girl]], lane),
    makeEvent({ number: 2, sex: "Boys", distance: 50, stroke: "Freestyle", round }, [boys, [boy]], 3),
    makeEvent({ number: 3, sex: "Girls", distance: 100, stroke: "Backstroke", round }, [[girl], girls], 4),
  ];
  return {
    name,
    licensee: `Imaginary Pool ${tag}`.trim(),
    session: "Saturday Morning",
    course: "LC Meter",
    lanes,
    teams: [team],
    swimmers: [girl, boy, ...girls, ...boys],
    events,
  };
}

function makeSwimmer(first: string, last: string, sex: Swimmer["sex"]): Swimmer {
  return { first, last, initial: null, sex, age: 12, team };
}

function nameSwimmer(full: string, sex: Swimmer["sex"]): Swimmer {
  const [first = "", last = ""] = full.split(" ");
  return makeSwimmer(first, last, sex);
}

type About = Pick<MeetEvent, "number" | "sex" | "distance" | "stroke" | "round">;

/** A heat with one swimmer has that swimmer in the given lane. */
function makeEvent(about: About, heats: Swimmer[][], lane: number): MeetEvent {
  const entryOf = (swimmer: Swimmer, index: number): MeetEntry => ({
    swimmer,
    relay: null,
    seed: `${about.distance === 50 ? "" : "1:"}${30 + about.number + index}.25`,
    exhibition: false,
    standard: null,
  });
  const seeded = heats.map((swimmers, heat) => swimmers.map((one, index) => entryOf(one, heat * 4 + index)));
  return {
    ...about,
    ages: "11-12",
    relay: false,
    form: "heats",
    entries: seeded.flat(),
    alternates: [],
    heats: seeded.map((entries, heat) => {
      const places: (MeetEntry | null)[] = Array.from({ length: lanes }, () => null);
      for (const [index, entry] of entries.entries()) places[entries.length === 1 ? lane - 1 : index] = entry;
      return { number: heat + 1, startsAt: null, lanes: places };
    }),
  };
}

export function makeProgram(name: string, options: TinyMeetOptions = {}): SampleFile {
  return { name, bytes: writeHytekProgram(makeTinyMeet({ tag: name, ...options }), { columns: 2 }).pdf };
}

export function makePsych(name: string, options: TinyMeetOptions = {}): SampleFile {
  return { name, bytes: writeHytekPsych(makeTinyMeet({ tag: name, ...options }), { columns: 2 }).pdf };
}

/** Event 1 starts at 08:30, the next ones 17 minutes after each other. */
export function makeReport(name: string, options: TinyMeetOptions = {}): SampleFile {
  return { name, bytes: writeSessionReport(makeTinyMeet({ tag: name, ...options })).pdf };
}

/** A start list in sentences, which no parser knows. */
export function makeLetter(name: string, options: TinyMeetOptions = {}): SampleFile {
  return { name, bytes: writeUnknownLayout(makeTinyMeet({ tag: name, name: `Invented ${name} Open`, ...options })) };
}

/** The same sheet with other dates: texts of the same length, so that nothing else in the file moves. */
export function redate(file: SampleFile, dates: Readonly<Record<string, string>>): SampleFile {
  let text = Buffer.from(file.bytes).toString("latin1");
  for (const [from, to] of Object.entries(dates)) {
    if (from.length !== to.length || !text.includes(from)) throw new Error(`${from} cannot become ${to}`);
    text = text.replaceAll(from, to);
  }
  return { name: file.name, bytes: Buffer.from(text, "latin1") };
}

/** A PDF that asks for a password. */
export function lockPdf(name: string): SampleFile {
  const pdf = makeProgram(name).bytes;
  const encrypted = Buffer.from(pdf)
    .toString("latin1")
    .replace(
      "/Root 1 0 R",
      `/Root 1 0 R /ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -44 /O <${"ab".repeat(32)}> /U <${"cd".repeat(32)}> >>`,
    );
  return { name, bytes: Buffer.from(encrypted, "latin1") };
}
