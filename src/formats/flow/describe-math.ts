/** A formula in MathML as one line: its TeX where the file has it, else its symbols in reading order. */
import { attribute, findElement, type HtmlElement, type HtmlNode, isElement, plainText } from "./html-tree.ts";

export function describeMath(math: HtmlElement): string {
  const tex = findElement(math, (part) => /tex/i.test(attribute(part, "encoding") ?? ""));
  if (tex) return plainText(tex);
  const alternative = attribute(math, "alttext") ?? attribute(math, "altText");
  if (alternative?.trim()) return alternative.replace(/\s+/g, " ").trim();
  return inLine(math).replace(/\s+/g, " ").trim();
}

function inLine(node: HtmlNode | undefined): string {
  if (!node) return "";
  if (node.type === "text") return node.value.trim();
  if (!isElement(node)) return "";
  const parts = node.children.filter((child) => isElement(child));
  const [first, second, third] = parts;
  switch (node.tagName) {
    case "annotation":
    case "annotation-xml":
      return "";
    case "mo":
      return spaced(plainText(node));
    case "mfrac":
      return `${grouped(first)}/${grouped(second)}`;
    case "msup":
    case "mover":
      return `${inLine(first)}^${grouped(second)}`;
    case "msub":
    case "munder":
      return `${inLine(first)}_${grouped(second)}`;
    case "msubsup":
    case "munderover":
      return `${inLine(first)}_${grouped(second)}^${grouped(third)}`;
    case "msqrt":
      return `√(${parts.map(inLine).join("")})`;
    case "mtable":
      return `[${parts.map(inLine).join("; ")}]`;
    case "mtr":
      return parts.map(inLine).join(", ");
    default:
      return node.children.map(inLine).join("");
  }
}

function spaced(operator: string): string {
  return /^[=<>+\-−×÷≤≥≠≈→∈⊂⊆∪∩,;:]$/.test(operator) ? ` ${operator} ` : operator;
}

function grouped(node: HtmlNode | undefined): string {
  const line = inLine(node).trim();
  return /^[\p{L}\p{N}.]*$/u.test(line) ? line : `(${line})`;
}
