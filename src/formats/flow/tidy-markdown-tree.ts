/** Corrections on the markdown tree that HTML could not carry: heading levels, emphasis at the edge of words, stray breaks. */

export interface MarkdownNode {
  type: string;
  value?: string;
  depth?: number;
  spread?: boolean;
  children?: MarkdownNode[];
}

/** By how much the levels of all headings change, given the first. */
export type HeadingShift = (first: { level: number; text: string }) => number;

const attention = new Set(["emphasis", "strong", "delete"]);

export function tidyMarkdownTree(tree: MarkdownNode, shift?: HeadingShift): void {
  tidyChildren(tree);
  const first = findHeading(tree);
  if (!first || !shift) return;
  const by = shift({ level: first.depth ?? 1, text: textOf(first) });
  if (by !== 0) shiftHeadings(tree, by);
}

function tidyChildren(node: MarkdownNode): void {
  if (!node.children) return;
  for (const child of node.children) tidyChildren(child);
  node.children = splitParagraphs(joinTexts(tidyAttention(node.children))).filter((child) => !isEmpty(child));
  // An item that is one paragraph needs no empty line around it.
  if (node.type === "listItem") node.spread = node.children.filter((child) => child.type !== "list").length > 1;
  if (node.type === "list") node.spread = node.children.some((item) => item.spread);
}

function isEmpty(node: MarkdownNode): boolean {
  if (node.type === "heading" || node.type === "paragraph" || attention.has(node.type) || node.type === "link") {
    return textOf(node).trim() === "" && !hasNote(node);
  }
  return (node.type === "list" || node.type === "blockquote") && node.children?.length === 0;
}

function hasNote(node: MarkdownNode): boolean {
  return node.type === "footnoteReference" || (node.children?.some(hasNote) ?? false);
}

/**
 * White space at the edges of emphasis moves out of it, neighbours of one kind are joined, and emphasis that markdown
 * could only write with character references (`**Note:**text`) is given up.
 */
function tidyAttention(nodes: MarkdownNode[]): MarkdownNode[] {
  const result: MarkdownNode[] = [];
  for (const node of nodes) {
    if (!attention.has(node.type) || !node.children) {
      result.push(node);
      continue;
    }
    const before = takeSpace(node.children, "start");
    const after = takeSpace(node.children, "end");
    const last = result.at(-1);
    if (before) result.push({ type: "text", value: before });
    else if (last?.type === node.type && last.children) {
      last.children.push(...node.children.splice(0));
      if (after) result.push({ type: "text", value: after });
      continue;
    }
    if (node.children.length > 0) result.push(node);
    if (after) result.push({ type: "text", value: after });
  }
  return result.flatMap((node, i) =>
    attention.has(node.type) && !canBeMarked(node, result[i - 1], result[i + 1]) ? (node.children ?? []) : [node],
  );
}

function takeSpace(children: MarkdownNode[], edge: "start" | "end"): string {
  const node = edge === "start" ? children[0] : children.at(-1);
  if (node?.type !== "text" || node.value === undefined) return "";
  const trimmed = edge === "start" ? node.value.trimStart() : node.value.trimEnd();
  const space = node.value.length > trimmed.length ? " " : "";
  node.value = trimmed;
  if (trimmed === "") edge === "start" ? children.shift() : children.pop();
  return space;
}

/** What markdown takes for part of a word: all but space, punctuation and symbols. */
const wordChar = /[^\s\p{P}\p{S}]/u;

function canBeMarked(node: MarkdownNode, before: MarkdownNode | undefined, after: MarkdownNode | undefined): boolean {
  const inside = textOf(node);
  const first = inside.at(0) ?? "";
  const last = inside.at(-1) ?? "";
  const previous = before ? (textOf(before).at(-1) ?? "") : "";
  const next = after ? (textOf(after).at(0) ?? "") : "";
  return (!wordChar.test(previous) || wordChar.test(first)) && (!wordChar.test(next) || wordChar.test(last));
}

function joinTexts(nodes: MarkdownNode[]): MarkdownNode[] {
  const result: MarkdownNode[] = [];
  for (const node of nodes) {
    const last = result.at(-1);
    if (node.type === "text" && last?.type === "text") last.value = `${last.value}${node.value}`.replace(/ {2,}/g, " ");
    else result.push(node);
  }
  return result;
}

/** Two breaks in a row are how old pages write a new paragraph. */
function splitParagraphs(nodes: MarkdownNode[]): MarkdownNode[] {
  return nodes.flatMap((node) => {
    if (node.type !== "paragraph" || !node.children) return [node];
    const paragraphs: MarkdownNode[] = [];
    let current: MarkdownNode[] = [];
    for (const [i, child] of node.children.entries()) {
      const next = node.children[i + 1];
      if (child.type === "break" && (next === undefined || next.type === "break" || current.length === 0)) {
        if (current.length > 0) paragraphs.push({ type: "paragraph", children: current });
        current = [];
      } else if (child.type !== "break" || current.length > 0) current.push(child);
    }
    if (current.length > 0) paragraphs.push({ type: "paragraph", children: current });
    return paragraphs;
  });
}

function findHeading(node: MarkdownNode): MarkdownNode | undefined {
  if (node.type === "heading") return node;
  for (const child of node.children ?? []) {
    const found = findHeading(child);
    if (found) return found;
  }
  return undefined;
}

function shiftHeadings(node: MarkdownNode, by: number): void {
  if (node.type === "heading") node.depth = Math.min(Math.max((node.depth ?? 1) + by, 1), 6);
  for (const child of node.children ?? []) shiftHeadings(child, by);
}

function textOf(node: MarkdownNode): string {
  return node.children ? node.children.map(textOf).join("") : (node.value ?? (node.type === "break" ? " " : ""));
}
