/** An HTML tree as a document: cleaned, cut into sections if it is large, each written as markdown when it is asked for. */
import type { DocumentFacts } from "../document-reader.ts";
import { cleanHtml } from "./clean-html.ts";
import type { FlowDocument } from "./flow-document.ts";
import type { FlowLimits } from "./flow-limits.ts";
import { htmlToMarkdown } from "./html-to-markdown.ts";
import { copyNodes, type HtmlParent } from "./html-tree.ts";
import { labelByFragment, markNotes } from "./mark-notes.ts";
import { splitHtml } from "./split-html.ts";

export function openTree(
  body: HtmlParent,
  facts: Omit<DocumentFacts, "parts" | "outline">,
  limits: FlowLimits,
  css = "",
): FlowDocument {
  cleanHtml(body, markNotes(body, labelByFragment), css);
  const sections = splitHtml(body, limits.sectionChars);
  return {
    facts: { ...facts, parts: sections.length, outline: [] },
    // Writing it changes a tree; the next who asks wants the same answer.
    readSection: async (part) => htmlToMarkdown(copyNodes(sections[part - 1] ?? [])),
  };
}
