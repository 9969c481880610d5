/** The blocks near the upper and the lower edge of a page, where running heads, feet and page numbers stand. */
import type { Block, PageBlocks } from "./blocks.ts";

const mostBlocks = 4;
/** Of the page's height: nothing nearer its middle is a running head or foot. */
const edgeShare = 0.14;

export function textOf(block: Block): string {
  return block.kind === "table"
    ? block.rows.map((row) => row.map((cell) => cell.text).join(" ")).join(" ")
    : block.text;
}

export function isAtEdge(block: Block, page: PageBlocks, share: number): boolean {
  return block.box.y + block.box.height < page.height * share || block.box.y > page.height * (1 - share);
}

export function edgesOf(page: PageBlocks): Block[] {
  const near = page.blocks.filter((block) => isAtEdge(block, page, edgeShare) && textOf(block).length < 300);
  if (near.length <= mostBlocks * 2) return near;
  const sorted = near.toSorted((a, b) => a.box.y - b.box.y);
  return [...sorted.slice(0, mostBlocks), ...sorted.slice(-mostBlocks)];
}

/** What stands above or below everything else on the page, beside each other as it may be. */
export function outermostOf(page: PageBlocks): Block[] {
  let top = Number.POSITIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  for (const { box } of page.blocks) {
    top = Math.min(top, box.y);
    bottom = Math.max(bottom, box.y + box.height);
  }
  return edgesOf(page).filter(({ box }) => box.y < top + 3 || box.y + box.height > bottom - 3);
}

export function isOneLine(block: Block): boolean {
  if (block.kind === "table") return block.rows.length === 1;
  return block.text.length < 120 && block.box.height < block.fontSize * 1.9;
}
