/** Markdown as it grows, block by block. It knows how long it is without being put together. */

import type { TableBlock, TextBlock } from "./blocks.ts";
import { continuesParagraph, joinParagraph } from "./continue-paragraph.ts";
import { escapeStart } from "./escape-markdown.ts";
import { continuesTable, rowsOfRest, writeRows, writeTable } from "./write-table.ts";

type Last = { kind: "text"; block: TextBlock } | { kind: "table"; block: TableBlock } | undefined;

export class MarkdownText {
  readonly #parts: string[] = [];
  #length = 0;
  #last: Last;
  /** Where the text of each list level begins, in letters from the left. */
  #indents: number[] = [];

  /** Returns where it begins. */
  writeHeading(block: TextBlock, level: number): number {
    const at = this.#open({ kind: "text", block }, "\n\n");
    this.#append(`${"#".repeat(level)} ${block.text.replace(/(#+)$/, "\\$1")}`);
    return at;
  }

  writeText(block: TextBlock): number {
    if (block.kind === "list_item") return this.#writeItem(block);
    if (this.#last?.kind === "text" && continuesParagraph(this.#last.block, block)) return this.#goOn(block);
    const at = this.#open({ kind: "text", block }, "\n\n");
    this.#append(block.kind === "code" ? fenced(block.text) : escapeStart(block.text));
    return at;
  }

  writeTable(block: TableBlock): number {
    const last = this.#last;
    if (last?.kind === "table" && continuesTable(last.block, block)) {
      const rows = writeRows(rowsOfRest(last.block, block));
      const at = this.#length + 1;
      if (rows.length > 0) this.#append(`\n${rows.join("\n")}`);
      return rows.length > 0 ? at : this.#length;
    }
    const at = this.#open({ kind: "table", block }, "\n\n");
    if (block.caption !== undefined) this.#append(`${escapeStart(block.caption)}\n\n`);
    this.#append(writeTable(block));
    return at;
  }

  /** Whether what is written next could still be the rest of the last paragraph. */
  goesOnWith(block: TextBlock): boolean {
    return this.#last?.kind === "text" && continuesParagraph(this.#last.block, block);
  }

  toString(): string {
    if (this.#length === 0) return "";
    return `${this.#parts.join("")}\n`;
  }

  #open(last: Last, between: string): number {
    if (this.#length > 0) this.#append(between);
    this.#last = last;
    this.#indents = [];
    return this.#length;
  }

  #writeItem(block: TextBlock): number {
    const afterItem = this.#last?.kind === "text" && this.#last.block.kind === "list_item";
    const indents = afterItem ? this.#indents : [];
    const at = this.#open({ kind: "text", block }, afterItem ? "\n" : "\n\n");
    const depth = Math.min(block.depth ?? 0, indents.length);
    const marker = block.marker ?? "-";
    const indent = depth === 0 ? 0 : (indents[depth - 1] ?? 0);
    this.#indents = [...indents.slice(0, depth), indent + marker.length + 1];
    this.#append(`${" ".repeat(indent)}${marker} ${escapeStart(block.text)}`);
    return at + indent;
  }

  #goOn(block: TextBlock): number {
    const before = this.#last?.kind === "text" ? this.#last.block : block;
    const { cut, added, nextAt } = joinParagraph(before.text, block.text);
    if (cut > 0) this.#cut(cut);
    const at = this.#length + nextAt;
    this.#append(added);
    this.#last = {
      kind: "text",
      block: { ...before, text: block.text.length < 25 ? before.text + added : block.text },
    };
    return at;
  }

  #append(text: string): void {
    this.#parts.push(text);
    this.#length += text.length;
  }

  #cut(letters: number): void {
    const last = this.#parts.pop() ?? "";
    this.#parts.push(last.slice(0, -letters));
    this.#length -= letters;
  }
}

function fenced(text: string): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
