/** The sample documents: one of each kind of work that Docmill does, all of them about the water of one small town. */
import type { SampleFile } from "../make-samples.ts";
import { writeGuide } from "./write-guide.ts";
import { writeInvoice } from "./write-invoice.ts";
import { writeLetter } from "./write-letter.ts";
import { writeNotes } from "./write-notes.ts";
import { writeReport } from "./write-report.ts";

interface SampleDocument extends SampleFile {
  title: string;
}

export async function makeDocuments(): Promise<SampleDocument[]> {
  const made: [string, string, Uint8Array][] = [
    ["invoice.pdf", "Invoice for two booster pumps", await writeInvoice()],
    ["water-report.pdf", "Elderwick Water Supply: Report for 2030", await writeReport()],
    ["pocket-guide.epub", "A Pocket Guide to Hallow Mere", writeGuide()],
    ["minutes.docx", "Minutes of the water committee", writeNotes()],
    ["letter-scan.png", "Letter about brown water (scan)", await writeLetter()],
  ];
  return made.map(([name, title, bytes]) => ({ file: `documents/${name}`, title, bytes }));
}
