/** Where a passage of which only the text and the page are known stands in its document's markdown. */
import type { DocumentMarkdown } from "../../../api/documents.ts";
import type { PassageRange } from "../text/mark-passage.ts";

export function findPassage(
  { markdown, pages }: DocumentMarkdown,
  { content, page }: { content: string; page: number | null },
): PassageRange | undefined {
  // The same words may stand on an earlier page too.
  const from = pages.find((one) => one.page === page)?.offset ?? 0;
  const start = markdown.indexOf(content, from);
  return start < 0 ? undefined : { start, end: start + content.length };
}
