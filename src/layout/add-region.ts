/** Adds the blocks of the next region to those read before it; a paragraph that the column broke off goes on. */
import type { Block, TextBlock } from "./blocks.ts";
import { continuesParagraph, joinParagraph } from "./continue-paragraph.ts";
import { boxToEdges, edgesToBox } from "./edges-to-box.ts";
import { boundsOf } from "./line.ts";

/** Notes, captions and small print that may stand between the two halves. */
const mostBetween = 6;

export function addRegion(blocks: Block[], region: readonly Block[]): void {
  const [first, ...rest] = region;
  if (first === undefined) return;
  const at = first.kind === "table" ? -1 : openParagraph(blocks, first);
  const open = blocks[at];
  if (open === undefined || open.kind === "table" || first.kind === "table") {
    blocks.push(...region);
    return;
  }
  const { cut, added } = joinParagraph(open.text, first.text);
  const text = (cut > 0 ? open.text.slice(0, -cut) : open.text) + added;
  const box = edgesToBox(boundsOf([boxToEdges(open.box), boxToEdges(first.box)]));
  const joined = [...(open.joined ?? []), ...(first.joined ?? [])];
  blocks[at] = { ...open, text, box, ...(joined.length > 0 && { joined }) };
  blocks.push(...rest);
}

function openParagraph(blocks: readonly Block[], next: TextBlock): number {
  for (let i = blocks.length - 1; i >= Math.max(0, blocks.length - mostBetween); i--) {
    const block = blocks[i];
    if (block === undefined || block.kind === "heading") return -1;
    if (block.kind === "table" || block.kind === "footnote" || block.kind === "caption") continue;
    const smaller = block.fontSize < next.fontSize * 0.95;
    if (!smaller) return continuesParagraph(block, next) ? i : -1;
  }
  return -1;
}
