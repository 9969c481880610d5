// @vitest-environment happy-dom
/** Snippets come as escaped HTML: marks are shown as such, and nothing else is ever interpreted. */
import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { parseSnippet } from "./parse-snippet.ts";
import { Snippet } from "./Snippet.tsx";

afterEach(cleanup);

it("reads marks and decodes what was escaped", () => {
  expect(parseSnippet("a <mark>b &amp; c</mark> &lt;d&gt; &quot;e&quot; &#39;f&#39;")).toEqual([
    { text: "a ", found: false },
    { text: "b & c", found: true },
    { text: " <d> \"e\" 'f'", found: false },
  ]);
});

it("decodes once", () => {
  expect(parseSnippet("&amp;lt;mark&amp;gt;")).toEqual([{ text: "&lt;mark&gt;", found: false }]);
});

it("leaves other tags, entities and stray marks as text", () => {
  expect(parseSnippet("<b>x</b> &nbsp; &copy;")).toEqual([{ text: "<b>x</b> &nbsp; &copy;", found: false }]);
  expect(parseSnippet("end</mark> <mark>open")).toEqual([
    { text: "end", found: false },
    { text: " ", found: false },
    { text: "open", found: true },
  ]);
  expect(parseSnippet("")).toEqual([]);
});

it("shows text with marks, and no element of the document's own", () => {
  const { container } = render(
    <Snippet snippet="&lt;img src=x onerror=alert(1)&gt; *the* <mark>mill</mark> | grinds" />,
  );
  expect(container.textContent).toBe("<img src=x onerror=alert(1)> the mill · grinds");
  expect(Array.from(container.querySelectorAll("*"), ({ tagName }) => tagName)).toEqual(["MARK"]);
});
