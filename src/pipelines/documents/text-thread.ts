/** Runs in a thread: from stored pages to markdown, and from markdown to chunks. */
import { createHash } from "node:crypto";
import type { PageBlocks } from "../../layout/blocks.ts";
import { chunkMarkdown } from "../../layout/chunk-markdown.ts";
import type { MarkdownDocument } from "../../layout/markdown-document.ts";
import { markdownOfSections } from "../../layout/markdown-of-sections.ts";
import { writeMarkdown } from "../../layout/write-markdown.ts";
import { serveTasks } from "../../threads/serve-tasks.ts";
import { type Contradiction, findContradictions } from "./connections/find-contradiction.ts";
import type { ComposedDocument, ComposeRequest, HashedChunk, OpposeRequest, StoredParts } from "./text-threads.ts";

const pieceChars = 2 ** 18;

export const textTasks = {
  async compose({ parts, outline }: ComposeRequest): Promise<ComposedDocument> {
    const document = await composeMarkdown(parts, outline);
    return { ...document, sha256: sha256(document.markdown), wordCount: countWords(document.markdown) };
  },

  chunk: (document: MarkdownDocument): HashedChunk[] =>
    chunkMarkdown(document).map((chunk) => ({ ...chunk, contentHash: sha256(chunk.content) })),

  oppose: ({ texts, pairs }: OpposeRequest): (Contradiction | undefined)[] => findContradictions(texts, pairs),
};

serveTasks(textTasks);

function composeMarkdown(parts: StoredParts, outline: ComposeRequest["outline"]): Promise<MarkdownDocument> {
  if (parts.kind === "sections") return markdownOfSections(sectionsOf(parts.sections));
  const { pages } = parts;
  return writeMarkdown(() => pagesOf(pages), { outline });
}

/** One page at a time is parsed; it is let go before the next. */
async function* pagesOf(pages: readonly string[]): AsyncGenerator<PageBlocks> {
  for (const page of pages) yield JSON.parse(page) as PageBlocks;
}

async function* sectionsOf(sections: readonly string[]): AsyncGenerator<{ markdown: string }> {
  for (const markdown of sections) yield { markdown };
}

/** In pieces: a pattern lists all it finds, which takes ten times the memory of a large text. */
function countWords(markdown: string): number {
  let count = 0;
  for (let at = 0; at < markdown.length; ) {
    const space = markdown.indexOf(" ", at + pieceChars);
    const end = space < 0 || space > at + 2 * pieceChars ? at + 2 * pieceChars : space;
    count += markdown.slice(at, end).match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
    at = end;
  }
  return count;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
