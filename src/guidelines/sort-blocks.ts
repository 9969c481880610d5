/** Sorts the blocks of a page by what announces them: objectives, key words, examples, activities, exercises, or plain text. */
import type { Heading } from "./page-structure.ts";
import { type Label, readLabel } from "./read-label.ts";
import type { Block } from "./split-blocks.ts";

export interface SortedBlocks {
  objectives: string[];
  examples: string[];
  exercises: string[];
  activities: string[];
  /** Words listed as key words. */
  terms: string[];
  /** What stands among them with an explanation. */
  glossary: string[];
  /** Blocks of running text, and of summaries. */
  prose: Block[];
}

const command =
  /^(?:name|list|draw|write|explain|describe|discuss|find|calculate|solve|complete|fill|match|choose|compare|give|state|define|show that|prove|copy|label|measure|classify|identify|work out|answer|circle|tick|underline|true or false)\b/i;
const intention =
  /^(?:to )?(?:name|list|draw|write|explain|describe|discuss|find|calculate|solve|compare|state|define|identify|understand|know|learn|recognise|recognize|use|tell|classify|measure|apply|introduce|study|investigate|show|distinguish|observe|plot|determine)\b/i;

/** A word of more than signs and labels: the letters in a drawing, a formula or a file name say nothing here. */
const speaks = /\p{Ll}{3}|\p{Lo}{2}|\p{Lu}{4}/u;
const address = /^\S*(?:https?:|www\.|\/)\S*$|^\S+\.(?:png|jpe?g|svg|gif)$/i;

export function sortBlocks(blocks: readonly Block[], headings: readonly Heading[]): SortedBlocks {
  const sorted: SortedBlocks = {
    objectives: [],
    examples: [],
    exercises: [],
    activities: [],
    terms: [],
    glossary: [],
    prose: [],
  };
  let label: Label | null = null;
  let heading: Heading | null = null;
  let under = 0;
  /** Names what the first block under it is part of. */
  let title = "";

  for (const [index, block] of blocks.entries()) {
    if (block.heading !== heading) {
      heading = block.heading;
      label = labelOfHeading(heading, label);
      under = 0;
      title = titleOf(heading, headings);
    }
    const own = readLabel(block.text);
    if (own !== null) {
      const goesOn: boolean = own.label === "aside" && label === "example";
      label = goesOn ? "example" : own.label;
      under = goesOn ? under : 0;
      if (own.rest === "") {
        if (label === "objectives") takeIntention(sorted, block.text);
        continue;
      }
    }
    place(sorted, title === "" ? block : { ...block, text: `${title}: ${block.text}` }, label, under++);
    title = "";
    // What is announced ends where running text begins again.
    if (label !== null && under > 0 && endsZone(label, block, blocks[index + 1], under)) label = null;
  }
  takeListedTerms(sorted);
  return sorted;
}

function labelOfHeading(heading: Heading | null, before: Label | null): Label | null {
  if (heading === null) return null;
  const label = readLabel(heading.text)?.label ?? (heading.role === "exercise" ? "exercise" : null);
  if (label !== "aside") return label;
  // A solution goes on with the example above it.
  return before === "example" && /^(?:solution|lösung|answer)/i.test(heading.text) ? "example" : null;
}

/** "Making a kite" of "Activity 2: Making a kite", or of the heading right above "Instructions". */
function titleOf(heading: Heading | null, headings: readonly Heading[]): string {
  if (heading === null) return "";
  const own = readLabel(heading.text);
  if (own === null || (own.label !== "activity" && own.label !== "example")) return "";
  if (own.rest !== "") return own.rest;
  const above = headings[headings.indexOf(heading) - 1];
  if (above === undefined || heading.line - above.line > 2) return "";
  return above.role === "section" ? above.text : (readLabel(above.text)?.rest ?? "");
}

function place(sorted: SortedBlocks, block: Block, label: Label | null, under: number): void {
  const { text } = block;
  if (!speaks.test(text) || address.test(text)) return;
  switch (label) {
    case "objectives":
      if (text.split(" ").length > 2) sorted.objectives.push(text);
      return;
    case "terms":
      sorted.terms.push(...text.split(/[,;•]\s*/).filter((term) => term.length < 40));
      sorted.glossary.push(text);
      if (text.length > 40) sorted.prose.push(block);
      return;
    case "example":
      if (under === 0 || sorted.examples.length === 0) sorted.examples.push(text);
      else sorted.examples.push(`${sorted.examples.pop() ?? ""} ${text}`.trim());
      return;
    case "activity":
      addToActivity(sorted, block);
      return;
    case "exercise":
      sorted.exercises.push(text);
      return;
    case "summary":
    case "aside":
    case null:
      if (block.isItem && (command.test(text) || text.endsWith("?"))) sorted.exercises.push(text);
      else if (asksOnly(text)) sorted.exercises.push(...questionsOf(text));
      else sorted.prose.push(block);
  }
}

/** A list of materials is one item. */
function addToActivity({ activities }: SortedBlocks, { text, isItem, size }: Block): void {
  const last = activities.at(-1);
  const isThing = (thing: string) => !/[.?!]$/.test(thing) && (thing.split(", ").at(-1) ?? "").split(" ").length <= 8;
  if (!isItem && size === 1 && last !== undefined && isThing(text) && isThing(last)) {
    activities.push(`${activities.pop() ?? ""}, ${text}`);
  } else activities.push(text);
}

/** A paragraph of questions, as chapters begin with. */
function asksOnly(text: string): boolean {
  const questions = questionsOf(text);
  return questions.length >= 1 && text.endsWith("?") && !/[.!:] /.test(text) && text.split(" ").length >= 4;
}

function questionsOf(text: string): string[] {
  return text.split(/(?<=\?) (?=\p{Lu})/u);
}

/** "In this lesson you will learn about roots." says its objective in the announcement. */
function takeIntention(sorted: SortedBlocks, text: string): void {
  if (/\.$/.test(text) && text.split(" ").length > 7 && !/:$/.test(text)) sorted.objectives.push(text);
}

function endsZone(label: Label, block: Block, next: Block | undefined, under: number): boolean {
  if (next === undefined) return false;
  switch (label) {
    case "objectives":
      return (
        next.heading === block.heading && !next.isItem && (block.isItem || !intention.test(next.text)) && next.size > 1
      );
    case "example":
      return under >= 3 || (next.size > 3 && under >= 2);
    case "terms":
      return next.size > 1 && !next.isItem && !/[:–—-]/.test(next.text);
    case "activity":
    case "exercise":
      return !next.isItem && next.size > 2 && !command.test(next.text) && !next.text.endsWith("?");
    case "summary":
    case "aside":
      return false;
  }
}

const listedWord = /^\p{L}[\p{L}'’-]*(?: \p{L}[\p{L}'’-]*){0,2}$/u;

/** Three or more lines of one to three words under each other: the word box of a lesson. They are no text. */
function takeListedTerms(sorted: SortedBlocks): void {
  const isListed = sorted.prose.map((block) => !block.isItem && block.size === 1 && listedWord.test(block.text));
  const inRun = isListed.map((_, at) =>
    [0, 1, 2].some(
      (back) =>
        at >= back &&
        isListed.slice(at - back, at - back + 3).length === 3 &&
        isListed.slice(at - back, at - back + 3).every(Boolean),
    ),
  );
  if (sorted.terms.length === 0)
    sorted.terms.push(...sorted.prose.filter((_, at) => inRun[at]).map(({ text }) => text));
  sorted.prose = sorted.prose.filter((_, at) => !inRun[at]);
}
