/** A passage of a document: what is embedded, found and connected. */
export interface Chunk {
  /** From 0. */
  index: number;
  /** Exactly `markdown.slice(start, end)`. */
  content: string;
  start: number;
  end: number;
  /** The headings it stands under, outermost first. */
  headingPath: string[];
  /** Null where the document has no pages. */
  pageFrom: number | null;
  pageTo: number | null;
  tokens: number;
}
