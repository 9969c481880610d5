/** A markdown document as a tree of sections by its headings, with the atoms of each in one list. */
import { type Atom, atomsBetween, borders } from "./chunk-atoms.ts";
import type { MarkdownDocument, MarkdownHeading } from "./markdown-document.ts";

export interface Section {
  level: number;
  /** The headings it stands under, its own included. */
  path: string[];
  children: Section[];
  /** Atoms of its heading and own text, and from there on to the end of its last child. */
  from: number;
  ownTo: number;
  to: number;
  /** It has text besides its heading. */
  hasText: boolean;
}

export interface SectionTree {
  root: Section;
  atoms: Atom[];
  /** Of each atom, the section it stands in. */
  sectionOf: Section[];
}

export function readSections(document: MarkdownDocument, maxTokens: number): SectionTree {
  const { markdown } = document;
  const headings = document.headings.filter(({ offset }) => offset >= 0 && offset < markdown.length);
  const atoms: Atom[] = [];
  const sectionOf: Section[] = [];
  const root: Section = { level: 0, path: [], children: [], from: 0, ownTo: 0, to: 0, hasText: false };
  const open: Section[] = [root];

  const fill = (section: Section, textFrom: number, to: number) => {
    const own = atomsBetween(markdown, textFrom, to, maxTokens);
    section.hasText = own.length > 0;
    const [first] = own;
    // A heading stays with what follows it.
    if (first && section.level > 0) first.border = borders.none;
    for (const atom of own) atoms.push(atom);
    section.ownTo = atoms.length;
    while (sectionOf.length < atoms.length) sectionOf.push(section);
  };

  fill(root, 0, headings[0]?.offset ?? markdown.length);
  for (const [i, heading] of headings.entries()) {
    const end = headings[i + 1]?.offset ?? markdown.length;
    while ((open.at(-1) as Section).level >= heading.level) close(open.pop() as Section);
    const parent = open.at(-1) as Section;
    const path = [...parent.path, heading.text];
    const section = { level: heading.level, path, children: [], from: atoms.length, ownTo: 0, to: 0, hasText: false };
    parent.children.push(section);
    open.push(section);
    const textFrom = Math.min(headingEnd(markdown, heading), end);
    for (const atom of atomsBetween(markdown, heading.offset, textFrom, maxTokens)) {
      const border = atom.start === heading.offset ? borders.heading + 6 - Math.min(heading.level, 6) : borders.none;
      atoms.push({ ...atom, border, prose: false });
    }
    fill(section, textFrom, end);
  }
  while (open.length > 0) close(open.pop() as Section);
  return { root, atoms, sectionOf };

  function close(section: Section): void {
    section.to = atoms.length;
  }
}

/** Behind the line of the heading, and the line under it that makes it one. */
function headingEnd(markdown: string, { offset }: MarkdownHeading): number {
  const newline = markdown.indexOf("\n", offset);
  if (newline < 0) return markdown.length;
  const underline = /^ {0,3}(?:=+|-+)[ \t]*(?:\n|$)/.exec(markdown.slice(newline + 1, newline + 200));
  return newline + 1 + (underline && !markdown.startsWith("#", offset) ? underline[0].length : 0);
}
