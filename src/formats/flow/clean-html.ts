/**
 * Takes an HTML tree to what is read: hidden things, controls and page numbers go; pictures become their alternative
 * text, formulas a line of text, notes and their references are found, links within the document become their text.
 */
import { describeMath } from "./describe-math.ts";
import { flattenTable } from "./flatten-table.ts";
import { findHidden } from "./hidden-styles.ts";
import {
  attribute,
  element,
  type HtmlElement,
  type HtmlNode,
  type HtmlParent,
  isElement,
  kindsOf,
  plainText,
  replaceElements,
  text,
} from "./html-tree.ts";
import { joinVerse } from "./join-verse.ts";
import type { Notes } from "./mark-notes.ts";

const dropped = new Set(
  "audio button canvas datalist dialog embed head iframe input map noscript rp select template textarea video".split(
    " ",
  ),
);
const droppedKinds = new Set(["pagebreak", "page-list", "pagelist", "landmarks", "backlink"]);
const pageNumberClass = /^(?:lnum|line-?num(?:ber)?|page-?num(?:ber)?|pageno|pb)$/i;
const emptyAlternative =
  /^(?:image|img|picture|photo|cover|figure|graphic|logo|\*|[\w-]+\.(?:jpe?g|png|gif|svg|webp|tiff?))$/i;
const superscripts: Record<string, string> = Object.fromEntries(
  [..."0123456789+-=()n"].map((char, i) => [char, [..."⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ"][i] ?? ""]),
);
const subscripts: Record<string, string> = Object.fromEntries(
  [..."0123456789+-=()"].map((char, i) => [char, [..."₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎"][i] ?? ""]),
);

export function cleanHtml(tree: HtmlParent, notes: Notes, css: string): void {
  const isHidden = findHidden(css, tree);
  const clean = (part: HtmlElement): HtmlNode[] | undefined => {
    // Notes that pop up are hidden until then.
    if (part.properties.dataNote === undefined && (isLeftOut(part) || isHidden(part))) return [];
    const level = part.tagName === "p" || part.tagName === "div" ? headingLevel(part) : undefined;
    if (level) part.tagName = `h${level}`;
    switch (part.tagName) {
      case "a":
        return cleanLink(part);
      case "img":
        return alternative(attribute(part, "alt"));
      case "svg":
        return drawnText(part);
      case "math":
        return [text(describeMath(part))];
      case "rt":
        return [text(` (${plainText(part)})`)];
      case "sup":
        return raised(part, superscripts);
      case "sub":
        return raised(part, subscripts);
      case "table":
        replaceElements(part, clean);
        return flattenTable(part);
      default:
        return joinVerse(part, clean);
    }
  };

  const cleanLink = (link: HtmlElement): HtmlNode[] | undefined => {
    if (notes.isBackReference(link)) return [];
    const label = notes.labelOfReference(link);
    if (label) return [element("a", [], { dataNote: label })];
    const href = attribute(link, "href")?.trim() ?? "";
    if (/^(?:https?|mailto|ftp):/i.test(href) && plainText(link)) return undefined;
    replaceElements(link, clean);
    return link.children;
  };

  replaceElements(tree, clean);
}

function isLeftOut(part: HtmlElement): boolean {
  const { properties } = part;
  if (dropped.has(part.tagName) || (properties.hidden !== undefined && properties.hidden !== false)) return true;
  if (attribute(part, "ariaHidden") === "true" && part.tagName !== "math") return true;
  const style = attribute(part, "style");
  if (style && /display\s*:\s*none|visibility\s*:\s*hidden/i.test(style)) return true;
  if (part.tagName === "span" && pageNumberClass.test(attribute(part, "className") ?? "")) return true;
  return kindsOf(part).some((kind) => droppedKinds.has(kind));
}

function headingLevel(part: HtmlElement): number | undefined {
  if (!kindsOf(part).includes("heading")) return undefined;
  return Math.min(Math.max(Number.parseInt(attribute(part, "ariaLevel") ?? "2", 10) || 2, 1), 6);
}

function alternative(alt: string | undefined): HtmlNode[] {
  const words = alt?.replace(/\s+/g, " ").trim() ?? "";
  return words === "" || emptyAlternative.test(words) ? [] : [text(words)];
}

/** A drawing says what is written in it, else what it is called. */
function drawnText(drawing: HtmlElement): HtmlNode[] {
  const written: string[] = [];
  const described: string[] = [];
  replaceElements(drawing, (part) => {
    const words = plainText(part);
    if (isElement(part, "title", "desc")) described.push(words);
    else if (isElement(part, "text", "foreignObject")) written.push(words);
    else return undefined;
    return [];
  });
  const lines = (written.some(Boolean) ? written : described).filter(Boolean);
  return lines.flatMap((line, i) => (i === 0 ? [text(line)] : [element("br", []), text(line)]));
}

/** "x2" is not what "x²" says. Letters ("1st") stay as they are. */
function raised(part: HtmlElement, signs: Record<string, string>): HtmlNode[] | undefined {
  const words = textWithoutNotes(part);
  if (words === undefined || words === "" || ![...words].every((char) => char in signs)) return undefined;
  return [text([...words].map((char) => signs[char]).join(""))];
}

function textWithoutNotes(part: HtmlElement): string | undefined {
  const only = part.children.length === 1 ? part.children[0] : undefined;
  return only?.type === "text" ? only.value.trim() : undefined;
}
