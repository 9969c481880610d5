/**
 * Learns from all pages of a document what repeats at their edges: the same words at the same place, numbers that grow
 * with the pages, and the bands of paper in which both stand. A chapter's title in such a band is a running head even
 * if it was seen once.
 */
import type { Block, PageBlocks } from "./blocks.ts";
import { edgesOf, isOneLine, outermostOf, textOf } from "./page-edges.ts";
import { numbersAtEnds, withoutNumbers } from "./read-page-number.ts";

interface Seen {
  places: string[];
  /** With its numbers. */
  exact: string[];
  keys: string[];
  offsets: string[];
}

export class FurnitureSurvey {
  /** Text without its numbers and where it stands → pages it was seen on. */
  readonly #texts = new Map<string, number>();
  readonly #exact = new Map<string, number>();
  /** Number in an edge block minus the page's number → how often. */
  readonly #offsets = new Map<string, number>();
  /** The highest and the lowest lines of the pages. */
  readonly #outermost: Seen[] = [];
  #bands: Set<string> | undefined;
  pages = 0;

  addPage(page: PageBlocks): void {
    this.pages++;
    const edges = edgesOf(page).map((block) => seenOf(block, page));
    count(this.#texts, new Set(edges.flatMap((edge) => edge.keys)));
    count(this.#exact, new Set(edges.flatMap((edge) => edge.exact)));
    count(this.#offsets, new Set(edges.flatMap((edge) => edge.offsets)));
    for (const block of outermostOf(page)) if (isOneLine(block)) this.#outermost.push(seenOf(block, page));
  }

  /** Whether a block at an edge repeats, counts the pages or stands where such blocks do. */
  isFurniture(block: Block, page: PageBlocks, isOutermost: boolean): boolean {
    const seen = seenOf(block, page);
    if (this.#isKnown(seen, textOf(block), block.kind === "heading")) return true;
    if (!isOutermost || !isOneLine(block)) return false;
    this.#bands ??= this.#findBands();
    return seen.places.some((place) => this.#bands?.has(place));
  }

  #isKnown(seen: Seen, text: string, isHeading: boolean): boolean {
    const enough = this.pages > 12 ? 3 : 2;
    // "Part I" and "Part II" stand at the same place as well: a heading must repeat with its number.
    const repeats = isHeading
      ? seen.exact.some((key) => (this.#exact.get(key) ?? 0) >= enough)
      : seen.keys.some((key) => (this.#texts.get(key) ?? 0) >= enough);
    if (repeats) return true;
    return text.length < 160 && seen.offsets.some((offset) => this.#counts(offset));
  }

  #counts(offset: string): boolean {
    const times = this.#offsets.get(offset) ?? 0;
    return times >= (offset.startsWith("roman") ? 3 : Math.max(2, Math.min(this.pages * 0.3, 8)));
  }

  #findBands(): Set<string> {
    const all = new Map<string, number>();
    const known = new Map<string, number>();
    for (const seen of this.#outermost) {
      count(all, seen.places);
      if (this.#isKnown(seen, "", false)) count(known, seen.places);
    }
    const bands = new Set<string>();
    const fewest = Math.max(3, this.pages * 0.15);
    for (const [place, times] of known) if (times >= fewest && times >= (all.get(place) ?? 0) * 0.4) bands.add(place);
    return bands;
  }
}

function count(counts: Map<string, number>, keys: Iterable<string>): void {
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
}

function seenOf(block: Block, page: PageBlocks): Seen {
  const text = textOf(block);
  const bare = withoutNumbers(text.replace(/[*_`\\]/g, "").trim()).toLowerCase();
  // Two neighbouring places each, so that what stands on the border between them is found again.
  const places = [Math.floor(block.box.y / 5), Math.floor((block.box.y + 2.5) / 5) + 0.5].map(
    (place) => `${Math.round(page.height)} ${place}`,
  );
  return {
    places,
    exact: bare === "" ? [] : places.map((place) => `${place} ${text}`),
    keys: bare === "" ? [] : places.map((place) => `${place} ${bare}`),
    offsets: numbersAtEnds(text).map(({ value, roman }) => `${roman ? "roman" : "arabic"} ${value - page.page}`),
  };
}
