/**
 * Joins what a drawing leaves behind, the numbers along its axes and the names of its points, to one paragraph: each by
 * itself would be a line of the text.
 */
import type { Block, TextBlock } from "./blocks.ts";
import { boxToEdges, edgesToBox } from "./edges-to-box.ts";
import { boundsOf } from "./line.ts";

const longest = 14;
const fewest = 3;

export function joinLabels(blocks: readonly Block[]): Block[] {
  const out: Block[] = [];
  for (let i = 0; i < blocks.length; ) {
    const labels: TextBlock[] = [];
    for (let block = blocks[i]; isLabel(block); block = blocks[i + labels.length]) labels.push(block);
    if (labels.length >= fewest) out.push(joinText(labels));
    else out.push(...blocks.slice(i, i + Math.max(labels.length, 1)));
    i += Math.max(labels.length, 1);
  }
  return out;
}

/** Without a word in it. */
function isLabel(block: Block | undefined): block is TextBlock {
  return block?.kind === "paragraph" && block.text.length <= longest && !/\p{L}{3}/u.test(block.text);
}

function joinText(labels: readonly TextBlock[]): TextBlock {
  const text = labels.map((label) => label.text).join(" ");
  const box = edgesToBox(boundsOf(labels.map((label) => boxToEdges(label.box))));
  return {
    kind: "paragraph",
    text,
    box,
    fontSize: labels[0]?.fontSize ?? 0,
    bold: labels.every((label) => label.bold),
  };
}
