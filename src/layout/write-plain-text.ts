/** A page's blocks as plain text, for those who read or correct it by hand: a line a paragraph, an empty line between them. */
import type { Block } from "./blocks.ts";

export function writePlainText(blocks: readonly Block[]): string {
  let text = "";
  let before: Block | undefined;
  for (const block of blocks) {
    const written = writeBlock(block);
    if (written === "") continue;
    const together = before?.kind === "list_item" && block.kind === "list_item";
    text += `${text === "" ? "" : together ? "\n" : "\n\n"}${written}`;
    before = block;
  }
  return text;
}

function writeBlock(block: Block): string {
  switch (block.kind) {
    case "table":
      return block.rows.map((row) => row.map(({ text }) => toPlain(text)).join("\t")).join("\n");
    case "code":
      return block.text;
    case "list_item":
      return `${"  ".repeat(block.depth ?? 0)}${block.marker ?? "-"} ${toPlain(block.text)}`;
    case "paragraph":
    case "heading":
    case "caption":
    case "footnote":
      return toPlain(block.text);
  }
}

function toPlain(markdown: string): string {
  return markdown
    .replace(/(?<!\\)(\*\*|__|\*|`)(?=\S)(.*?\S)\1/g, "$2")
    .replace(/\\([\\`*_{}[\]()#+\-.!|<>~$&])/g, "$1")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .trim();
}
