import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findPdfLinks } from "./find-pdf-links.ts";

const page = "https://meets.example.org/summer/index.html";
const find = (html: string) => findPdfLinks(html, page);
const urls = (html: string) => find(html).map(({ url }) => url);

describe("findPdfLinks", () => {
  it.each([
    ["heats.pdf", "https://meets.example.org/summer/heats.pdf"],
    ["/files/HEATS.PDF", "https://meets.example.org/files/HEATS.PDF"],
    ["../a%20b.pdf?v=2", "https://meets.example.org/a%20b.pdf?v=2"],
    ["//cdn.example.org/heats.pdf", "https://cdn.example.org/heats.pdf"],
    ["http://example.com/heats.pdf#page=2", "http://example.com/heats.pdf"],
    ["/download?file=heats.pdf&amp;day=1", "https://meets.example.org/download?file=heats.pdf&day=1"],
    ["/download?file=heats.pdf&copy=1", "https://meets.example.org/download?file=heats.pdf&copy=1"],
    ["/heats&#46;pdf", "https://meets.example.org/heats.pdf"],
    ["/heats%2Epdf", "https://meets.example.org/heats%2Epdf"],
    ["/heats.pdf/view", "https://meets.example.org/heats.pdf/view"],
    [" heats.pdf\n", "https://meets.example.org/summer/heats.pdf"],
    ["/%ff.pdf", "https://meets.example.org/%ff.pdf"],
  ])("reads the address %j", (href, url) => {
    expect(urls(`<p><a href="${href}">x</a></p>`)).toEqual([url]);
    expect(urls(`<p><A class=big HREF='${href}'>x</A></p>`)).toEqual([url]);
  });

  it.each([
    "/about.html",
    "/pdf/",
    "/heats.pdfx",
    "javascript:alert('x.pdf')",
    "data:application/pdf;base64,JVBERi0=.pdf",
    "file:///etc/heats.pdf",
    "mailto:heats.pdf@example.org",
    "http://[/heats.pdf",
    "https://example.pdf/",
    "",
  ])("passes over %j", (href) => {
    expect(find(`<a href="${href}">Heat sheet pdf</a>`)).toEqual([]);
  });

  it("finds what is embedded", () => {
    expect(
      urls(`<embed src="a.pdf"><iframe src="b.pdf"></iframe><object data="c.pdf"><a href="d.pdf">d</a></object>
        <area href="e.pdf"><object data="/show/6" type="application/pdf"></object><a href="/get/7" download="f.pdf">f</a>`),
    ).toEqual(
      ["summer/a.pdf", "summer/b.pdf", "summer/c.pdf", "summer/d.pdf", "summer/e.pdf", "show/6", "get/7"].map(
        (path) => `https://meets.example.org/${path}`,
      ),
    );
  });

  it.each([
    `<a href="https://docs.example.com/viewer?url=https%3A%2F%2Fmeets.example.org%2Fsummer%2Fa.pdf&embedded=true">x</a>`,
    `<iframe src="/pdfjs/web/viewer.html?file=/summer/a.pdf#zoom=50"></iframe>`,
    `<a href="#" onclick="window.open('a.pdf'); return false">x</a>`,
    `<a href="javascript:window.open(&quot;a.pdf&quot;)">x</a>`,
    `<button onclick='location.href="a.pdf"'>x</button>`,
    `<tr data-href="a.pdf"><td>x</td></tr>`,
  ])("finds what is behind %s", (html) => {
    expect(urls(html)).toEqual(["https://meets.example.org/summer/a.pdf"]);
  });

  it("does not guess at scripts that compute an address", () => {
    expect(find(`<a href="#" onclick="show('/files/' + day + '.pdf')">x</a>`)).toEqual([]);
    expect(find(`<script>document.write('<a href="a.pdf">x</a>')</script><!-- <a href="b.pdf">x</a> -->`)).toEqual([]);
  });

  it("takes the page's own base, unless it is no place to fetch from", () => {
    const link = `<a href="a.pdf">x</a>`;
    expect(urls(`<base target=_top><base href="/files/"><base href="/no/">${link}`)).toEqual([
      "https://meets.example.org/files/a.pdf",
    ]);
    expect(urls(`<base href="javascript:x">${link}`)).toEqual(["https://meets.example.org/summer/a.pdf"]);
  });

  it.each([
    [`<a href="a.pdf">  Heat\n <b>Sheet</b> &amp; more&nbsp;<i></i> </a> after`, "Heat Sheet & more"],
    [`<a href="a.pdf" title="From the title"><img src="x.png"></a>`, "From the title"],
    [`<a href="a.pdf" aria-label="From the label"> </a>`, "From the label"],
    [`<a href="a.pdf"><img src="x.png" alt="From the picture"></a>`, "From the picture"],
    [`<a href="Saturday%20heats.pdf"></a>`, "Saturday heats.pdf"],
    [`<a href="/get?file=docs/Sunday.pdf&v=1"></a>`, "Sunday.pdf"],
    [`<a href="/" type="application/pdf"></a>`, "meets.example.org"],
    [`<a href="a.pdf">a < b</a>`, "a < b"],
    [`<a href="a.pdf">left open <p>still <a href="x.html">next</a>`, "left open still"],
    [`<a href="a.pdf">${"long ".repeat(100)}</a>`, `${"long ".repeat(40)}…`],
  ])("takes the title of %s", (html, title) => {
    expect(find(html).map((link) => link.title)).toEqual([title]);
  });

  it("puts likely heat sheets first and keeps the order otherwise", () => {
    const html = ["Entry form", "Psych Sheet", "Map", "Session 2", "Timeline", "Obsession"]
      .map((title, index) => `<a href="${index}.pdf">${title}</a>`)
      .join("");
    const more = `<a href="HeatSheet_Sat.pdf">Saturday</a><a href="meet-program.pdf">Sunday</a><a href="p.pdf">Parking</a>`;
    expect(find(html + more).map(({ title }) => title)).toEqual([
      "Psych Sheet",
      "Session 2",
      "Timeline",
      "Saturday",
      "Sunday",
      "Entry form",
      "Map",
      "Obsession",
      "Parking",
    ]);
  });

  it("names a file once, by the best title there is", () => {
    const html = `<a href="a.pdf#1"><img></a><a href="b.pdf">B</a><a href="/summer/a.pdf#2">Heats</a><a href="a.pdf">Again</a>`;
    expect(find(html).map(({ title }) => title)).toEqual(["Heats", "B"]);
  });

  it("stops at 200", () => {
    const html = Array.from({ length: 300 }, (_, index) => `<a href="${index}.pdf">${index}</a>`).join("");
    const found = find(`${html}<a href="last.pdf">Heat sheet</a>`);
    expect(found).toHaveLength(200);
    expect(found[0]?.title).toBe("Heat sheet");
  });

  // Each of these is more than a parser that builds a tree, or looks ahead from every tag, gets through.
  it.each([
    ["nesting", "<div>".repeat(400_000)],
    ["formatting left open", Array.from({ length: 100_000 }, (_, i) => `<b a=${i}>`).join("") + "<p>".repeat(100_000)],
    ["attributes without end", `<a ${Array.from({ length: 400_000 }, (_, i) => `a${i}`).join(" ")} href=x.pdf>`],
    ["quotes without end", `<a href="x.pdf ${"<a href='".repeat(300_000)}`],
    ["scripts without end", "<script>".repeat(400_000)],
    ["comments without end", "<!--".repeat(1_000_000)],
    ["brackets", "<".repeat(2_000_000)],
    ["tags without end", "<a ".repeat(1_000_000)],
    ["links", `<a href=x.pdf>`.repeat(300_000)],
    ["spaces", `<a href=x.pdf title${" ".repeat(2_000_000)}=1>`],
  ])("gets through a page of %s", (_name, html) => {
    const link = `<a href="first.pdf">First</a>`;
    expect(find(link + html)[0]).toEqual({ url: "https://meets.example.org/summer/first.pdf", title: "First" });
  });

  it("gives only addresses that can be fetched, whatever the page", () => {
    const piece = fc.constantFrom(
      ..."<a |<base |<iframe src=|href=|\"|'|>|</a>|<!--|-->|<script>|</script>|x.pdf|//|http:|javascript:|&amp;|&#x|;|\0|=| |#|?|\ud800".split(
        "|",
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        for (const { url, title } of find(pieces.join(""))) {
          expect(new URL(url).protocol).toMatch(/^https?:$/);
          expect(url).not.toContain("#");
          expect(title).not.toBe("");
        }
      }),
      { numRuns: 500 },
    );
  });
});
