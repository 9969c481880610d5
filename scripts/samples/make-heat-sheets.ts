/**
 * The sample heat sheets: three sessions of a weekend's meet and the timeline of the first, which prints no start times.
 * What a reader has to find of the sample swimmer is known from the same plan.
 */
import { writeHytekProgram } from "../../test/support/sheets/hytek-program.ts";
import type { Meet } from "../../test/support/sheets/make-meet.ts";
import { writeSessionReport } from "../../test/support/sheets/other-documents.ts";
import { listedName } from "../../test/support/sheets/people.ts";
import { type MadeSheet, swimsOf } from "../../test/support/sheets/sheet-truth.ts";
import type { SampleFile } from "../make-samples.ts";
import { hero, planWeekend } from "./plan-weekend.ts";

/** A swim of the sample swimmer as the sheets have it. */
interface SampleSwim {
  eventNumber: number;
  eventName: string;
  heatNumber: number | null;
  lane: number | null;
  seedTime: string;
  /** In a relay. */
  leg: number | null;
}

export interface SampleSheets {
  swimmer: string;
  files: SampleFile[];
  swims: SampleSwim[];
}

export function makeHeatSheets(): SampleSheets {
  const [saturdayMorning, saturdayAfternoon, sunday] = planWeekend() as [Meet, Meet, Meet];
  const programs: [string, MadeSheet][] = [
    ["1-saturday-morning.pdf", writeHytekProgram(saturdayMorning, { columns: 2 })],
    ["2-saturday-afternoon.pdf", writeHytekProgram(saturdayAfternoon, { columns: 3, scrambled: true })],
    ["3-sunday-morning.pdf", writeHytekProgram(sunday, { columns: 2, records: true })],
  ];
  const timeline = writeSessionReport(saturdayMorning).pdf;
  const files = programs.map(([name, { pdf }]) => ({ file: `heat-sheets/${name}`, bytes: pdf }));
  return {
    swimmer: `${hero.first} ${hero.last}`,
    files: [...files, { file: "heat-sheets/4-timeline-saturday.pdf", bytes: timeline }],
    swims: programs.flatMap(([, { truth }]) =>
      swimsOf(truth, listedName(hero)).map(({ row, leg }) => ({
        eventNumber: row.eventNumber,
        eventName: row.eventName,
        heatNumber: row.heat,
        lane: row.lane,
        seedTime: row.seed,
        leg,
      })),
    ),
  };
}
