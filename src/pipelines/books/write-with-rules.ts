/** Guidelines without a model: what the book's own headings, words and likeness tell, and nothing it does not say. */
import { collectParts } from "../../guidelines/collect-parts.ts";
import { composeGuidelines, summariseSubtopic } from "../../guidelines/compose-guidelines.ts";
import { decidePage } from "../../guidelines/decide-page.ts";
import { findDuplicates } from "../../guidelines/find-duplicates.ts";
import { readPageStructure } from "../../guidelines/read-page-structure.ts";
import { refineName } from "../../guidelines/refine-names.ts";
import { summarisePage } from "../../guidelines/summarise-page.ts";
import type { Decision, GuidelineAuthor, PageInContext } from "./guideline-author.ts";

export const rulesAuthor: GuidelineAuthor = {
  provenance: "rules",

  async read(context) {
    const structure = readPageStructure(context.text);
    return {
      summary: summarisePage(structure),
      parts: collectParts(structure, context.page),
      contents: structure.contents,
      decision: decide(context),
    };
  },

  async write({ subtopicTitle }, _before, _page, parts) {
    return { summary: summariseSubtopic(subtopicTitle, parts), guidelines: composeGuidelines(subtopicTitle, parts) };
  },

  async refineName({ topicTitle, subtopicTitle }, parts) {
    return refineName({ topicTitle, subtopicTitle, parts });
  },

  async findDuplicates(subtopics) {
    return findDuplicates(subtopics.map(({ id: key, ...subtopic }) => ({ key, ...subtopic })));
  },

  async merge({ subtopicTitle }, _drop, parts) {
    return { summary: summariseSubtopic(subtopicTitle, parts), guidelines: composeGuidelines(subtopicTitle, parts) };
  },

  async summarise({ subtopicTitle }, parts) {
    return summariseSubtopic(subtopicTitle, parts);
  },
};

function decide({ text, openSubtopics, ...context }: PageInContext): Decision {
  const decision = decidePage(readPageStructure(text), {
    ...context,
    openSubtopics: openSubtopics.map(({ id: key, ...subtopic }) => ({ key, ...subtopic })),
  });
  if (decision.kind !== "continue") return decision;
  const { subtopicKey: subtopicId, confidence, reason } = decision;
  return { kind: "continue", subtopicId, confidence, reason };
}
