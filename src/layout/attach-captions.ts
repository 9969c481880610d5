/** Gives tables the captions that stand right above or below them. */
import type { Block, TableBlock, TextBlock } from "./blocks.ts";

const tableCaption = /^[*_]*(table|tab\.|tabelle|tableau|tabla|tabela|tabella|表)/i;

export function attachCaptions(blocks: readonly Block[]): Block[] {
  const taken = new Set<Block>();
  const out = blocks.map((block, at): Block => {
    if (block.kind !== "table" || block.caption !== undefined) return block;
    const caption = [blocks[at - 1], blocks[at + 1]].find(
      (one) => one !== undefined && !taken.has(one) && isCaptionOf(one, block),
    );
    if (caption === undefined || caption.kind === "table") return block;
    taken.add(caption);
    return { ...block, caption: caption.text };
  });
  return out.filter((_, at) => !taken.has(blocks[at] as Block));
}

function isCaptionOf(block: Block, table: TableBlock): block is TextBlock {
  if (block.kind !== "caption" || !tableCaption.test(block.text)) return false;
  const above = table.box.y - (block.box.y + block.box.height);
  const below = block.box.y - (table.box.y + table.box.height);
  return Math.max(above, below) < block.fontSize * 4;
}
