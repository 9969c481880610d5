// @vitest-environment happy-dom
/** A passage is marked exactly where it stands, whatever markdown lies in it. */
import { MantineProvider } from "@mantine/core";
import { cleanup, render } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { MarkdownText, type MarkdownTextProps } from "./MarkdownText.tsx";
import { toShown } from "./mark-passage.ts";
import { wordMatcher } from "./search-words.ts";

afterEach(cleanup);

function show(markdown: string, options: Partial<MarkdownTextProps> = {}) {
  const { container } = render(
    <MantineProvider>
      <MarkdownText markdown={markdown} base={0} {...options} />
    </MantineProvider>,
  );
  const textsOf = (kind: string) =>
    Array.from(container.querySelectorAll(`mark[data-mark=${kind}]`), ({ textContent }) => textContent);
  return { container, passages: textsOf("passage"), words: textsOf("word") };
}

/** The range of a part of the markdown. */
function rangeOf(markdown: string, part: string, base = 0) {
  const start = markdown.indexOf(part) + base;
  return { start, end: start + part.length };
}

describe("a passage", () => {
  it("is marked within a paragraph", () => {
    const markdown = "The mill stands. It grinds all day. Nobody knows why.";
    expect(show(markdown, { passage: rangeOf(markdown, "It grinds all day.") }).passages).toEqual([
      "It grinds all day.",
    ]);
  });

  it("is found by its place in the document when a later page is shown", () => {
    const page = "Second page, with a passage in it.";
    expect(show(page, { base: 5_000, passage: rangeOf(page, "a passage", 5_000) }).passages).toEqual(["a passage"]);
    cleanup();
    expect(show(page, { base: 5_000, passage: rangeOf(page, "a passage") }).passages).toEqual([]);
  });

  it("goes over blocks, emphasis, lists, tables and code", () => {
    const markdown = [
      "Before.",
      "## Head",
      "Some *slanted* and `coded` words.",
      "- one\n- two",
      "| a | b |\n| - | - |\n| 1 | 2 |",
      "```\nlet x;\n```",
      "After.",
    ].join("\n\n");
    const { container, passages } = show(markdown, {
      passage: { start: markdown.indexOf("## Head"), end: markdown.indexOf("After.") },
    });
    expect(passages.map((text) => text?.trim())).toEqual([
      "Head",
      "Some",
      "slanted",
      "and",
      "coded",
      "words.",
      "one",
      "two",
      "a",
      "b",
      "1",
      "2",
      "let x;",
    ]);
    expect(container.querySelector("table mark")).not.toBeNull();
    expect(container.querySelector("pre mark")).not.toBeNull();
  });

  it("begins and ends at the right letter behind escapes and entities", () => {
    const markdown = "Costs \\*net\\* &amp; gross: the total \\*is\\* here.";
    expect(show(markdown, { passage: rangeOf(markdown, "the total \\*is\\*") }).passages).toEqual(["the total *is*"]);
  });

  it("is not there without a range", () => {
    expect(show("Plain text.").container.querySelector("mark")).toBeNull();
  });
});

describe("words that were searched for", () => {
  it("are marked in and outside of the passage, in their other forms too", () => {
    const markdown = "Traces are compiled. The compiler traces loops.";
    const { passages, words } = show(markdown, {
      passage: rangeOf(markdown, "The compiler traces loops."),
      isSearched: wordMatcher("trace compilation"),
    });
    expect(words).toEqual(["Traces", "compiled", "compiler", "traces"]);
    expect(passages).toEqual(["The ", " ", " loops."]);
  });
});

describe("the text", () => {
  it("leaves raw HTML as text and fetches no pictures", () => {
    const { container } = show(
      '<img src="https://example.com/x.png"> ![a chart](https://example.com/chart.png)\n\n<b>bold</b>',
    );
    expect(container.querySelector("img, b, script")).toBeNull();
    expect(container.textContent).toContain("<b>bold</b>");
    expect(container.textContent).toContain("[Picture: a chart]");
  });

  it("has links that lead out, and none that lead nowhere", () => {
    const { container } = show("[out](https://example.com/) [inside](chapter2.xhtml#x) [bad](javascript:alert(1))");
    const links = Array.from(container.querySelectorAll("a"));
    expect(links.map(({ href, rel, target }) => ({ href, rel, target }))).toEqual([
      { href: "https://example.com/", rel: "noreferrer", target: "_blank" },
    ]);
    expect(container.textContent).toContain("inside");
  });

  it("tells where its blocks begin, and lowers headings below those of the page", () => {
    const { container } = show("# One\n\nText.", { base: 100 });
    expect(container.querySelector("h3")?.dataset.offset).toBe("100");
    expect(container.querySelector("p")?.dataset.offset).toBe("107");
  });
});

describe("toShown", () => {
  it("counts what is shown, not what is written", () => {
    expect(toShown("a \\* b", "a * b", 4)).toBe(3);
    expect(toShown("a &lt; b", "a < b", 6)).toBe(3);
    expect(toShown("one\n   two", "one\ntwo", 7)).toBe(4);
    expect(toShown("same", "same", 2)).toBe(2);
    expect(toShown("same", "same", 99)).toBe(4);
    expect(toShown("same", "same", -3)).toBe(0);
  });
});
