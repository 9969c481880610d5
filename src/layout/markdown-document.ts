/** A whole document as markdown, with what is needed to find a place in it again. Offsets count UTF-16 units. */
export interface MarkdownHeading {
  level: number;
  text: string;
  offset: number;
  page?: number;
}

export interface MarkdownDocument {
  markdown: string;
  /** Where each page begins; empty for documents without pages. */
  pages: { page: number; offset: number }[];
  headings: MarkdownHeading[];
}
