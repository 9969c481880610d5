import { describe, expect, test } from "vitest";
import { findContradiction } from "./find-contradiction.ts";

describe("findContradiction", () => {
  test("finds a negation of the same statement", () => {
    const found = findContradiction(
      "The committee met in spring. The new bridge over the river is safe for heavy trucks.",
      "Engineers warned that the new bridge over the river is not safe for heavy trucks.",
    );
    expect(found).toMatchObject({ opposition: "negation" });
    expect(found?.concepts).toEqual(expect.arrayContaining(["bridge", "river", "truck"]));
    expect(found?.sourceSentence).toBe("The new bridge over the river is safe for heavy trucks.");
  });

  test("finds opposite words", () => {
    const found = findContradiction(
      "Warm water increases the growth of algae in mountain lakes.",
      "Warm water decreases the growth of algae in mountain lakes.",
    );
    expect(found?.opposition).toBe("increase / decrease");
  });

  test("sees that a negated opposite agrees", () => {
    expect(
      findContradiction(
        "The price of grain increased in the northern provinces.",
        "The price of grain did not decrease in the northern provinces.",
      ),
    ).toBeUndefined();
  });

  test("finds none between statements about different things", () => {
    expect(
      findContradiction(
        "The library opens at nine in the morning.",
        "Cats do not like cold water, and dogs rarely mind it much.",
      ),
    ).toBeUndefined();
  });

  test("finds none between the same statements", () => {
    const text = "Copper conducts electricity better than iron at room temperature.";
    expect(findContradiction(text, text)).toBeUndefined();
  });
});
