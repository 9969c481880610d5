/** Guidelines by a language model: every decision and text comes from it, in a shape that is checked, and is paid for once. */
import { z } from "zod";
import { collectParts } from "../../guidelines/collect-parts.ts";
import { readPageStructure } from "../../guidelines/read-page-structure.ts";
import type { CallContext } from "../../providers/call-context.ts";
import type { ChatModel } from "../../providers/models/chat-model.ts";
import type { Decision, GuidelineAuthor, NamedSubtopic, PageInContext } from "./guideline-author.ts";

const PageReading = z.object({
  summary: z.string().min(1).describe("What the page teaches, in one or two sentences of at most 60 words."),
  decision: z.enum(["continue", "new", "skip"]).describe("In doubt, continue. Skip what teaches nothing."),
  subtopic_number: z.int().min(1).optional().describe("Of the open subtopic that the page continues."),
  topic_title: z.string().min(1).optional().describe("Of a new subtopic: the topic (chapter) it belongs to."),
  subtopic_title: z.string().min(1).optional().describe("Of a new subtopic."),
  confidence: z.number().min(0).max(1),
  reason: z.string().describe("Why, in a few words."),
});

const Written = z.object({
  summary: z.string().min(1).describe("The subtopic in 15 to 30 words."),
  guidelines: z.string().min(1).describe("How to teach it, as markdown, with the pages it stands on."),
});

const Named = z.object({ topic_title: z.string().min(1), subtopic_title: z.string().min(1) });

const Duplicates = z.object({
  duplicates: z.array(
    z.object({
      keep: z.int().min(1).describe("Number of the subtopic that stays."),
      drop: z.int().min(1).describe("Number of the one that is merged into it."),
      reason: z.enum(["same concept", "subset", "same pages"]),
    }),
  ),
});

const Summary = z.object({ summary: z.string().min(1).describe("The subtopic in 15 to 30 words.") });

const instructions = {
  read:
    "You read a textbook page by page to make teaching guidelines of it. Say what the page teaches and whether it continues " +
    "one of the open subtopics or begins a new one. Use only what the page says.",
  write:
    "You write teaching guidelines for one subtopic of a textbook, from its pages only: objectives, key terms, the line of " +
    "explanation, worked examples, activities, checks. Work the new page into what is there; keep what is there.",
  name: "You give a subtopic of a textbook its final name: short, specific, without numbering, in the book's own terms.",
  duplicates:
    "You are given the subtopics of a textbook. Name those that treat the same concept, are contained in another, or cover " +
    "the same pages. Often there are none.",
  merge: "You merge two subtopics of a textbook that are the same into one, losing nothing of either.",
  summarise: "You summarise a subtopic of a textbook for a teacher.",
};

export function openModelAuthor(model: ChatModel): GuidelineAuthor {
  const ask = <Answer>(
    name: string,
    told: string,
    schema: z.ZodType<Answer>,
    sections: readonly string[],
    call: CallContext,
  ): Promise<Answer> => {
    const input = [{ type: "text" as const, text: sections.filter((section) => section !== "").join("\n\n") }];
    return model.complete({ schema, name, instructions: told, input, promptVersion: 1 }, call);
  };

  return {
    provenance: "model",

    async read(page, call) {
      const structure = readPageStructure(page.text);
      const parts = collectParts(structure, page.page);
      const { contents } = structure;
      if (structure.kind === "blank") {
        return { summary: "", parts, contents, decision: { kind: "skip", reason: "The page is blank." } };
      }
      const answer = await ask("page_reading", instructions.read, PageReading, showPage(page), call);
      return { summary: answer.summary, parts, contents, decision: toDecision(answer, page) };
    },

    write: (name, before, page, _parts, call) =>
      ask(
        "subtopic",
        instructions.write,
        Written,
        [
          `Topic: ${name.topicTitle}\nSubtopic: ${name.subtopicTitle}`,
          before ? `Guidelines so far:\n${before.guidelines}` : "",
          `Page ${page.page}:\n${page.text}`,
        ],
        call,
      ),

    async refineName(subtopic, _parts, call) {
      const named = await ask("name", instructions.name, Named, [showSubtopic(subtopic)], call);
      return { topicTitle: named.topic_title, subtopicTitle: named.subtopic_title };
    },

    async findDuplicates(subtopics, call) {
      if (subtopics.length < 2) return [];
      const listed = subtopics.map(
        ({ topicTitle, subtopicTitle, summary, pages }, index) =>
          `${index + 1}. ${topicTitle} / ${subtopicTitle} (pages ${pages.join(", ")}): ${summary}`,
      );
      const { duplicates } = await ask("duplicates", instructions.duplicates, Duplicates, [listed.join("\n")], call);
      return toPairs(duplicates, subtopics);
    },

    merge: (keep, drop, _parts, call) =>
      ask(
        "subtopic",
        instructions.merge,
        Written,
        [`First:\n${showSubtopic(keep)}`, `Second:\n${showSubtopic(drop)}`],
        call,
      ),

    async summarise(subtopic, _parts, call) {
      return (await ask("summary", instructions.summarise, Summary, [showSubtopic(subtopic)], call)).summary;
    },
  };
}

function showPage({ page, text, book, openSubtopics, recentSummaries, lastTopicTitle }: PageInContext): string[] {
  const facts = [book.title, book.grade && `grade ${book.grade}`, book.subject, book.board].filter(Boolean).join(", ");
  const open = openSubtopics.map(
    ({ topicTitle, subtopicTitle, summary, lastPage }, index) =>
      `${index + 1}. ${topicTitle} / ${subtopicTitle} (last on page ${lastPage}): ${summary}`,
  );
  return [
    `Book: ${facts}`,
    lastTopicTitle === null ? "" : `Last topic: ${lastTopicTitle}`,
    `Open subtopics:\n${open.join("\n") || "none"}`,
    `The pages before:\n${recentSummaries.join("\n") || "none"}`,
    `Page ${page}:\n${text}`,
  ];
}

function showSubtopic({ topicTitle, subtopicTitle, pages, summary, guidelines }: NamedSubtopic): string {
  return `Topic: ${topicTitle}\nSubtopic: ${subtopicTitle}\nPages: ${pages.join(", ")}\nSummary: ${summary}\n\n${guidelines}`;
}

/** An answer that names no place for the page continues with the latest subtopic: in doubt, it goes on. */
function toDecision(
  answer: z.output<typeof PageReading>,
  { openSubtopics, lastTopicTitle, page }: PageInContext,
): Decision {
  const { decision, confidence, reason } = answer;
  if (decision === "skip") return { kind: "skip", reason };
  const named = answer.subtopic_number === undefined ? undefined : openSubtopics[answer.subtopic_number - 1];
  const latest = openSubtopics.toSorted((a, b) => b.lastPage - a.lastPage)[0];
  const goesOn = decision === "continue" ? (named ?? latest) : undefined;
  if (goesOn) return { kind: "continue", subtopicId: goesOn.id, confidence, reason };
  const subtopicTitle = answer.subtopic_title ?? `Page ${page}`;
  return {
    kind: "new",
    topicTitle: answer.topic_title ?? lastTopicTitle ?? subtopicTitle,
    subtopicTitle,
    confidence,
    reason,
  };
}

/** Numbers that mean nothing, and chains, are left out: what is dropped is kept nowhere else. */
function toPairs(found: z.output<typeof Duplicates>["duplicates"], subtopics: readonly NamedSubtopic[]) {
  const dropped = new Set<string>();
  const kept = new Set<string>();
  return found.flatMap(({ keep, drop, reason }) => {
    const [one, other] = [subtopics[keep - 1]?.id, subtopics[drop - 1]?.id];
    if (!one || !other || one === other || dropped.has(one) || dropped.has(other) || kept.has(other)) return [];
    dropped.add(other);
    kept.add(one);
    return [{ keep: one, drop: other, reason }];
  });
}
