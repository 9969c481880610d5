/**
 * The words of a page, looked up where a line ended with a hyphen; made when the first hyphen asks for them. What a
 * hyphen left of a word, and the rest of it that follows, are no words.
 */

export class KnownWords {
  readonly #source: () => Iterable<string>;
  #words: Set<string> | undefined;
  /** As they are written: German nouns are no second parts in small letters. */
  readonly #plain = new Set<string>();
  readonly #firstParts = new Set<string>();
  readonly #secondParts = new Set<string>();

  constructor(source: () => Iterable<string>) {
    this.#source = source;
  }

  /** In small letters or large ones. */
  has(word: string): boolean {
    return this.#all().has(word.toLowerCase());
  }

  /** As a word of its own, in small letters. */
  hasPlain(word: string): boolean {
    this.#all();
    return this.#plain.has(word);
  }

  /** Whether other compounds with a hyphen begin or end like this. */
  isPartOfCompound(first: string, second: string): boolean {
    this.#all();
    return this.#firstParts.has(first) || this.#secondParts.has(second);
  }

  #all(): Set<string> {
    if (this.#words !== undefined) return this.#words;
    const words = new Set<string>();
    let isRest = false;
    for (const text of this.#source()) {
      const bare = bareWord(text);
      const small = bare.toLowerCase();
      words.add(small);
      const isOpen = /[-\u2010\u00ad]$/.test(text);
      const isWhole = !isOpen && !isRest;
      isRest = isOpen;
      if (!isWhole) continue;
      this.#plain.add(bare);
      const parts = bare.includes("-") ? small.split("-") : [];
      if (parts.length === 2 && parts[0] !== undefined && parts[1] !== undefined) {
        this.#firstParts.add(parts[0]);
        this.#secondParts.add(parts[1]);
      }
    }
    this.#words = words;
    return words;
  }
}

function bareWord(text: string): string {
  return text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
}
