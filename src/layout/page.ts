/**
 * What a page says and where: the common form in which the PDF reader, OCR and remote services hand a page on. Boxes are
 * in points (1/72 inch) from the top left corner of the page as it is shown, also when the file has it rotated.
 */

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Word {
  text: string;
  box: Box;
  /** Height of the type in points; unknown for OCR. */
  fontSize?: number;
  bold?: boolean;
  italic?: boolean;
  mono?: boolean;
  /** 0 to 1; what was not recognised but read has none. */
  confidence?: number;
}

/** A ruling line or the edge of a filled box. */
export interface Rule {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
}

/** Where the words came from. */
export type TextSource = "text" | "ocr" | "model" | "azure";

export interface PageText {
  /** From 1. */
  page: number;
  width: number;
  height: number;
  source: TextSource;
  /** In the order of the file, which may not be the order of reading. */
  words: Word[];
  rules: Rule[];
}
