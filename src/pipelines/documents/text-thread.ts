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

export const textTasks = {
  async compose({ parts, outline }: ComposeRequest): Promise<ComposedDocument> {
    const document = await composeMarkdown(parts, outline);
    const wordCount = document.markdown.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
    return { ...document, sha256: sha256(document.markdown), wordCount };
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

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
