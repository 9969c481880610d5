/** A title without a number begins something new if the table of contents has it, or if the page has left the open subject. */
import type { PageDecision } from "./decide-page.ts";
import { begin, type DecisionState } from "./decision-state.ts";
import { chapterAbove, findEntry, isUsable, pagesOf } from "./match-contents.ts";
import type { ContentsEntry, Heading } from "./page-structure.ts";
import { isSameTitle, readTitle, writeTitle } from "./title-parts.ts";

export function decideByTitle(state: DecisionState): PageDecision | null {
  const { headings, context, page } = state;
  const titles = headings.filter(
    ({ role, number }) => role === "section" && (number === null || !number.includes(".")),
  );
  const listed = titles.flatMap((heading) => {
    const entry = findEntry(heading, context.contents, page.printedPage);
    return entry === null || isOpenAlready(heading, state) ? [] : [{ heading, entry }];
  });
  const byContents = decideByEntries(listed, state);
  if (byContents !== null) return byContents;
  return isUsable(context.contents) ? null : decideByCohesion(titles, state);
}

function isOpenAlready({ text }: Heading, { open }: DecisionState): boolean {
  return open !== null && isSameTitle(readTitle(open.subtopicTitle).text, text);
}

/** Titles without a number that take up less are headings within a subject. */
const leastPages = 2;

interface Listed {
  heading: Heading;
  entry: ContentsEntry;
}

function decideByEntries(listed: readonly Listed[], { context, page }: DecisionState): PageDecision | null {
  const chapters = listed.filter(({ entry }) => entry.level <= 2);
  const sections = listed.filter(
    ({ entry }) => entry.level === 3 && (pagesOf(entry, context.contents) ?? leastPages) >= leastPages,
  );
  const chosen = chapters.at(-1) ?? sections.at(-1);
  if (chosen === undefined) return null;
  const { heading, entry } = chosen;
  const onItsPage = page.printedPage !== null && entry.page === page.printedPage;
  const elsewhere = page.printedPage !== null && entry.page !== null && !onItsPage;
  // Words like "Notes" are in many places; the table says on which page the section is.
  if (elsewhere && heading.certainty < 0.6) return null;
  const confidence = (onItsPage ? 0.92 : elsewhere ? 0.5 : 0.75) + (heading.certainty - 0.5) * 0.1;
  if (entry.level <= 2) {
    const below = sections.find((other) => other.heading.line > heading.line);
    return begin(
      heading.text,
      below?.heading.text ?? heading.text,
      confidence,
      "the table of contents has it as a chapter",
    );
  }
  const above = chapterAbove(entry, context.contents);
  const topicTitle =
    above === null || isTopic(above, context.lastTopicTitle)
      ? (context.lastTopicTitle ?? heading.text)
      : titleOf(above);
  return begin(topicTitle, heading.text, confidence, "the table of contents has it as a section");
}

function titleOf({ level, number, title }: ContentsEntry): string {
  return writeTitle({ role: level === 1 ? "unit" : "chapter", number, text: title });
}

function isTopic({ title }: ContentsEntry, lastTopicTitle: string | null): boolean {
  return lastTopicTitle !== null && isSameTitle(readTitle(lastTopicTitle).text, title);
}

/** Numbered books show where their sections begin; a bare title in them is a heading within one. */
function decideByCohesion(titles: readonly Heading[], state: DecisionState): PageDecision | null {
  const { open, cohesion, context } = state;
  const best = titles
    .filter((heading) => !isOpenAlready(heading, state))
    .toSorted((a, b) => Number(b.hasObjectives) - Number(a.hasObjectives) || b.certainty - a.certainty)[0];
  if (best === undefined) return null;
  if (open === null) {
    return begin(context.lastTopicTitle ?? writeTitle(best), writeTitle(best), best.certainty * 0.8, "the first title");
  }
  const now = readTitle(open.subtopicTitle);
  if (now.number?.includes(".") === true || now.role === "lesson") return null;
  if (best.hasObjectives) {
    return begin(
      context.lastTopicTitle ?? open.topicTitle,
      writeTitle(best),
      0.6 + best.certainty * 0.3,
      "a title with objectives of its own",
    );
  }
  const limit = best.top ? 0.3 : 0.2;
  if (best.certainty < 0.5 || cohesion >= limit) return null;
  const confidence = 0.35 + best.certainty * 0.35 + (limit - cohesion) * 0.5;
  return begin(
    context.lastTopicTitle ?? open.topicTitle,
    writeTitle(best),
    confidence,
    "a title, and other words than before",
  );
}
