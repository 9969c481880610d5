/** Builds pages word by word for tests of the layout: lines of text at a place, in a face, with rules around them. */
import type { PageText, Rule, TextSource, Word } from "../../src/layout/page.ts";

interface Face {
  size?: number;
  bold?: boolean;
  italic?: boolean;
  mono?: boolean;
}

/** Letters of this width make every line easy to measure. */
const letterWidth = 0.5;

export class PageBuilder {
  readonly #words: Word[] = [];
  readonly #rules: Rule[] = [];
  readonly #width: number;
  readonly #height: number;

  constructor(width = 600, height = 800) {
    this.#width = width;
    this.#height = height;
  }

  /** Words beside each other, `y` being the top of the line. `**bold**` and `*italic*` words are set so. */
  line(x: number, y: number, text: string, face: Face = {}): this {
    const { size = 10, ...rest } = face;
    let at = x;
    for (const raw of text.split(" ")) {
      const bold = raw.startsWith("**");
      const italic = !bold && raw.startsWith("*") && raw.length > 2;
      const bare = bold ? raw.slice(2, -2) : italic ? raw.slice(1, -1) : raw;
      const width = bare.length * size * letterWidth;
      const word: Word = { text: bare, box: { x: at, y, width, height: size * 1.15 }, fontSize: size, ...rest };
      if (bold) word.bold = true;
      if (italic) word.italic = true;
      this.#words.push(word);
      at += width + size * 0.3;
    }
    return this;
  }

  /** Lines below each other, 12 points apart in type of 10. */
  lines(x: number, y: number, texts: readonly string[], face: Face = {}): this {
    const step = (face.size ?? 10) * 1.2;
    texts.forEach((text, i) => {
      this.line(x, y + i * step, text, face);
    });
    return this;
  }

  /** A line from right to left: the first word stands rightmost. */
  lineFromRight(right: number, y: number, texts: readonly string[], size = 10): this {
    let at = right;
    for (const text of texts) {
      const width = text.length * size * letterWidth;
      this.#words.push({ text, box: { x: at - width, y, width, height: size * 1.15 }, fontSize: size });
      at -= width + size * 0.3;
    }
    return this;
  }

  rule(x1: number, y1: number, x2: number, y2: number): this {
    this.#rules.push({ x1, y1, x2, y2 });
    return this;
  }

  /** All rules of a grid. */
  grid(xs: readonly number[], ys: readonly number[]): this {
    const [left = 0, right = 0, top = 0, bottom = 0] = [xs[0], xs.at(-1), ys[0], ys.at(-1)];
    for (const y of ys) this.rule(left, y, right, y);
    for (const x of xs) this.rule(x, top, x, bottom);
    return this;
  }

  build(page = 1, source: TextSource = "text"): PageText {
    return { page, width: this.#width, height: this.#height, source, words: this.#words, rules: this.#rules };
  }

  /** The same page as OCR would hand it on: no faces, sizes unknown, boxes around the ink. */
  buildRecognised(page = 1): PageText {
    const words = this.#words.map(({ text, box }): Word => {
      const tall = /[A-Zbdfhklt0-9]/.test(text);
      const deep = /[gjpqy,]/.test(text);
      const top = tall ? 0.1 : 0.3;
      const bottom = deep ? 0 : 0.2;
      const height = box.height * (1 - top - bottom);
      return { text, box: { ...box, y: box.y + box.height * top, height }, confidence: 0.95 };
    });
    return { page, width: this.#width, height: this.#height, source: "ocr", words, rules: [] };
  }
}
