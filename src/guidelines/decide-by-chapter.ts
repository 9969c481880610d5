/** A unit or chapter heading begins a topic, if the book's count of chapters allows it. */
import type { PageDecision } from "./decide-page.ts";
import { begin, type DecisionState, lastWithText } from "./decision-state.ts";
import { findEntry, isUsable } from "./match-contents.ts";
import type { ContentsEntry, Heading } from "./page-structure.ts";
import { compareNumbers, isSameTitle, readTitle, writeTitle } from "./title-parts.ts";
import { isUpper } from "./title-shape.ts";

export function decideByChapter(state: DecisionState): PageDecision | null {
  const { headings, page, context } = state;
  const majors = headings
    .map((heading) => asNextChapter(heading, context.lastTopicTitle))
    .filter(({ role }) => role === "unit" || role === "chapter");
  const accepted = majors.flatMap((heading) => {
    const entry = findEntry(heading, context.contents, page.printedPage);
    const confidence = judgeChapter(heading, entry, state);
    return confidence === 0 ? [] : [{ heading, entry, confidence }];
  });
  const chosen = accepted.find(({ heading }) => heading.role === "chapter") ?? accepted[0];
  if (chosen === undefined) return null;
  const { heading, entry, confidence } = chosen;
  const titled = { ...heading, text: betterText(heading, entry) };
  const topicTitle = writeTitle(titled);
  const below = headings.filter((other) => other.line > heading.line && isWithin(other, heading));
  const section = lastWithText(below);
  const subtopicTitle = section === undefined ? topicTitle : writeTitle(section);
  return begin(topicTitle, subtopicTitle, confidence, `a ${heading.role} begins`);
}

/** The table has the whole title, and its case where the page has only capitals. */
function betterText({ text, number }: Heading, entry: ContentsEntry | null): string {
  if (entry === null) return text;
  const isCut = entry.title.length > text.length && entry.number === number;
  return isCut || (isUpper(text) && !isUpper(entry.title)) ? entry.title : text;
}

/** "8. Shared libraries" at the top of a page while chapter 7 is open. */
function asNextChapter(heading: Heading, lastTopicTitle: string | null): Heading {
  const now = lastTopicTitle === null ? null : readTitle(lastTopicTitle);
  const { role, number, top } = heading;
  if (role !== "section" || number === null || number.includes(".") || !top || now?.role !== "chapter") return heading;
  return Number(number) === Number(now.number) + 1
    ? { ...heading, role: "chapter", level: 2, certainty: 0.85 }
    : heading;
}

function isWithin(section: Heading, chapter: Heading): boolean {
  if (section.role === "lesson") return true;
  if (section.level !== 3 || section.number === null) return false;
  return chapter.number === null || !section.number.includes(".") || section.number.startsWith(`${chapter.number}.`);
}

/** 0 where it is none: a running head, a number of something else, or the chapter that is open already. */
function judgeChapter(heading: Heading, entry: ContentsEntry | null, { context, page }: DecisionState): number {
  const { lastTopicTitle, contents } = context;
  const now = lastTopicTitle === null ? null : readTitle(lastTopicTitle);
  const sameRole = now !== null && now.role === heading.role;
  if (sameRole && now.number !== null && now.number === heading.number) return 0;
  if (now !== null && heading.text !== "" && isSameTitle(now.text, heading.text)) return 0;
  if (entry !== null) {
    const onItsPage = page.printedPage !== null && entry.page === page.printedPage;
    return onItsPage ? 0.99 : heading.certainty >= 0.8 ? 0.95 : 0.85;
  }
  const step =
    sameRole && now.number !== null && heading.number !== null ? compareNumbers(heading.number, now.number) : null;
  // A title after a bare number may be a running head after a page number: only the next chapter is believed.
  if (heading.certainty < 0.9) {
    if (isUsable(contents)) return 0;
    const isNext = step === 1 || ((now?.number ?? null) === null && Number(heading.number) <= 3);
    return isNext ? heading.certainty - 0.1 : 0;
  }
  if (step !== null && (step < 0 || step > 3)) return 0.6;
  return isUsable(contents) ? 0.8 : 0.9;
}
