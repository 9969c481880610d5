/**
 * Finds notes and the references to them, by what a book says they are (`epub:type`, DPUB roles). Each note becomes an
 * element that markdown writes as a footnote; its label is the same in every section that refers to it.
 */
import {
  attribute,
  element,
  findElements,
  type HtmlElement,
  type HtmlParent,
  kindsOf,
  plainText,
  replaceElements,
} from "./html-tree.ts";

export interface Notes {
  labelOfReference(link: HtmlElement): string | undefined;
  /** A link from a note to where it is referred to. */
  isBackReference(link: HtmlElement): boolean;
}

/** The label of the note that a link in this document points to; undefined if it leads nowhere in it. */
type LabelNote = (href: string) => string | undefined;

const noteKinds = ["footnote", "endnote", "rearnote", "note"];
const noteListKinds = ["footnotes", "endnotes", "rearnotes"];
const referenceKinds = ["noteref"];
const backSigns = /^[\s[(]*(?:↩|↵|⏎|↑|\^|back|return)\ufe0e?[\s\])]*$/i;

export function markNotes(tree: HtmlParent, labelNote: LabelNote): Notes {
  const references = findElements(tree, (part) => part.tagName === "a" && isReference(part));
  const referenceIds = new Set(references.map((link) => attribute(link, "id")).filter(Boolean));
  const labels = new Set<string>();
  const mark = (part: HtmlElement): void => {
    const label = labelNote(`#${attribute(part, "id")}`);
    if (label === undefined) return;
    labels.add(label);
    part.tagName = "aside";
    part.properties.dataNote = label;
  };
  replaceElements(tree, (part) => {
    const kinds = kindsOf(part);
    if (noteKinds.some((kind) => kinds.includes(kind)) && attribute(part, "id") && part.tagName !== "a") mark(part);
    else if (noteListKinds.some((kind) => kinds.includes(kind))) markListed(part, mark);
    return undefined;
  });
  liftFromLists(tree);
  return {
    labelOfReference(link) {
      if (!isReference(link)) return undefined;
      const href = attribute(link, "href") ?? "";
      const label = labelNote(href);
      return label !== undefined && (labels.has(label) || !href.startsWith("#")) ? label : undefined;
    },
    isBackReference(link) {
      const fragment = attribute(link, "href")?.split("#")[1];
      return fragment !== undefined && (referenceIds.has(fragment) || backSigns.test(plainText(link)));
    },
  };
}

function isReference(link: HtmlElement): boolean {
  const kinds = kindsOf(link);
  return referenceKinds.some((kind) => kinds.includes(kind)) && link.properties.href !== undefined;
}

/** In a list of notes the items are the notes, whether or not each says so. */
function markListed(list: HtmlElement, mark: (item: HtmlElement) => void): void {
  for (const item of findElements(list, (part) => part.tagName === "li")) {
    if (attribute(item, "id") && item.properties.dataNote === undefined) mark(item);
  }
}

function liftFromLists(tree: HtmlParent): void {
  replaceElements(tree, (part) => {
    if (part.tagName !== "ol" && part.tagName !== "ul") return undefined;
    const items = part.children.filter((child) => child.type === "element");
    return items.length > 0 && items.every((item) => item.properties.dataNote !== undefined)
      ? [element("div", items)]
      : undefined;
  });
}

/** In a document of one file the fragment alone names the note. */
export function labelByFragment(href: string): string | undefined {
  const fragment = href.startsWith("#") ? href.slice(1).replace(/[^\p{L}\p{N}._-]+/gu, "-") : "";
  return fragment === "" ? undefined : fragment;
}
