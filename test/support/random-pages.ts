/**
 * Pages of lines as heat sheets have them, in any order, with words lost, added and moved: whatever readers make of them,
 * they must not throw.
 */
import fc from "fast-check";
import type { PageText, Word } from "../../src/layout/page.ts";

/** `lines` are what the layout prints; only those of one layout together get a reader as far as its rows. */
export function randomPages(lines: readonly string[]): fc.Arbitrary<PageText[]> {
  const line = fc.record({
    whole: fc.constantFrom(...lines.map((text) => text.split(" "))),
    // Far more lines stay whole than not: readers get nowhere on lines that are all broken.
    lost: fc.option(fc.nat({ max: 8 }), { freq: 3, nil: -1 }),
    added: fc.option(fc.string({ minLength: 1, maxLength: 8 }), { freq: 3, nil: undefined }),
    left: fc.constantFrom(20, 40, 310),
    gap: fc.constantFrom(3, 3, 40),
  });
  const page = fc.array(line, { maxLength: 40, size: "max" }).map((drawn): PageText => {
    const words = drawn.flatMap(({ whole, lost, added, left, gap }, i) => {
      const texts = whole.filter((_, at) => at !== lost).concat(added ?? []);
      let x = left;
      return texts.map((text): Word => {
        const width = text.length * 5;
        const box = { x, y: i * 12, width, height: 10 };
        x += width + gap;
        return { text, box };
      });
    });
    return { page: 1, width: 600, height: 800, source: "text", words, rules: [] };
  });
  return fc.array(page, { maxLength: 3, size: "max" });
}
