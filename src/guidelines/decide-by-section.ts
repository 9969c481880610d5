/** A lesson, or a section whose number moves on, begins a subtopic; deeper numbers stay within it. */
import type { PageDecision } from "./decide-page.ts";
import { begin, type DecisionState, lastWithText } from "./decision-state.ts";
import { entryOfNumber, findEntry, isUsable } from "./match-contents.ts";
import type { Heading } from "./page-structure.ts";
import { compareNumbers, isSameTitle, readTitle, writeTitle } from "./title-parts.ts";

export function decideBySection(state: DecisionState): PageDecision | null {
  const accepted = state.headings.flatMap((heading) => {
    const confidence = judgeSection(heading, state);
    return confidence === 0 ? [] : [{ heading, confidence }];
  });
  const chosen = lastWithText(accepted.map(({ heading }) => heading));
  const confidence = accepted.find(({ heading }) => heading === chosen)?.confidence ?? 0;
  if (chosen === undefined) return decideByMissedSection(state);
  const reason = chosen.role === "lesson" ? "a lesson begins" : `section ${chosen.number} begins`;
  return begin(topicOf(chosen, state), writeTitle(chosen), confidence, reason);
}

function judgeSection(heading: Heading, { context, page, open, cohesion }: DecisionState): number {
  const isDecimal = heading.role === "section" && heading.level === 3 && heading.number?.includes(".") === true;
  if (heading.role !== "lesson" && !isDecimal) return 0;
  const now = open === null ? null : readTitle(open.subtopicTitle);
  if (now !== null && now.role === heading.role && now.number === heading.number) return 0;
  if (now !== null && heading.text !== "" && isSameTitle(now.text, heading.text) && now.number === null) return 0;
  const entry = findEntry(heading, context.contents, page.printedPage);
  const known = entry !== null ? 0.06 : isUsable(context.contents) ? -0.1 : 0;
  if (heading.role === "lesson") return heading.certainty * 0.9 + known;
  const number = heading.number ?? "";
  const reached = now?.number?.includes(".") === true ? now.number : chapterNumber(context.lastTopicTitle);
  // A number that goes back belongs to a reference, a figure or a list.
  if (reached !== null && compareNumbers(number, reached) < 0 && entry === null) return 0;
  if (reached !== null && isFar(number, reached) && entry === null) return 0;
  return Math.min(0.97, heading.certainty * 0.92 + known + (0.5 - cohesion) * 0.04);
}

function chapterNumber(title: string | null): string | null {
  return title === null ? null : readTitle(title).number;
}

/** More than a few chapters or sections on cannot be the next one. */
function isFar(number: string, reached: string): boolean {
  const [chapter = 0, section = 0] = number.split(".").map(Number);
  const [chapterNow = 0, sectionNow = 0] = reached.split(".").map(Number);
  return chapter > chapterNow + 2 || (chapter === chapterNow && section > sectionNow + 6);
}

function topicOf(
  { number, role, text }: Pick<Heading, "number" | "role" | "text">,
  { context, open }: DecisionState,
): string {
  const { lastTopicTitle, contents } = context;
  if (role === "lesson") return lastTopicTitle ?? writeTitle({ role, number, text });
  const chapter = number?.split(".")[0] ?? "";
  const now = chapterNumber(lastTopicTitle) ?? chapterNumber(open?.subtopicTitle ?? null)?.split(".")[0] ?? null;
  if (lastTopicTitle !== null && now === chapter) return lastTopicTitle;
  // The chapter's own heading was not read; the table of contents may know it.
  const entry = entryOfNumber(chapter, contents);
  if (entry !== null) return writeTitle({ role: "chapter", number: chapter, text: entry.title });
  return now === null ? (lastTopicTitle ?? text) : `Chapter ${chapter}`;
}

/** 2.9.1 while 2.8 is open: the heading of 2.9 was not read. */
function decideByMissedSection(state: DecisionState): PageDecision | null {
  const { headings, open, context } = state;
  const now = open === null ? null : readTitle(open.subtopicTitle);
  if (now?.number?.includes(".") !== true) return null;
  const deep = headings.find(
    ({ role, level, number }) => role === "section" && level > 3 && number?.includes(".") === true,
  );
  const number = deep?.number?.split(".").slice(0, 2).join(".");
  if (
    deep === undefined ||
    number === undefined ||
    compareNumbers(number, now.number) <= 0 ||
    isFar(number, now.number)
  )
    return null;
  const entry = entryOfNumber(number, context.contents);
  if (isUsable(context.contents) && entry === null) return null;
  const text = entry?.title ?? deep.text;
  const section = { role: "section" as const, number, text };
  return begin(
    topicOf(section, state),
    writeTitle(section),
    entry === null ? 0.55 : 0.75,
    `section ${number} has begun`,
  );
}
