import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeEpub, makeProse, makeXhtml, makeZip } from "../../../test/support/sample-books.ts";
import type { FlowLimits } from "./flow-limits.ts";
import { openFlow, readFlowSection } from "./read-flow.ts";

let folder: string;
let files = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "docmill-test-flow-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function store(data: Uint8Array): Promise<string> {
  const path = join(folder, `book-${files++}.epub`);
  await writeFile(path, data);
  return path;
}

async function readAll(book: Uint8Array, limits?: Partial<FlowLimits>): Promise<string[]> {
  const path = await store(book);
  const { parts } = await openFlow(path, "epub", limits);
  const sections: string[] = [];
  for (let part = 1; part <= parts; part++) {
    sections.push((await readFlowSection(path, "epub", part, limits)).markdown);
  }
  return sections;
}

async function readChapter(body: string): Promise<string> {
  return (await readAll(makeEpub({ chapters: [{ body }] }))).join("\n\n");
}

describe("a book", () => {
  it("has its sections in the order of the spine, those out of line last", async () => {
    const sections = await readAll(
      makeEpub({
        chapters: [
          { body: "<p>Answers</p>", linear: false },
          { body: "<h1>One</h1><p>First.</p>", href: "a%20b.xhtml" },
          { body: "<h1>Two</h1><p>Second.</p>" },
        ],
      }),
    );
    expect(sections).toEqual(["# One\n\nFirst.", "# Two\n\nSecond.", "Answers"]);
  });

  it("tells title, author, language and the table of contents of its navigation document", async () => {
    const nav = `<nav epub:type="landmarks"><ol><li><a href="x">Cover</a></li></ol></nav>
      <nav epub:type="toc"><ol><li><span>Part</span><ol><li><a href="chapter-1.xhtml">One &amp; <i>only</i></a></li></ol></li></ol></nav>`;
    const path = await store(
      makeEpub({ title: "Salt &amp; Iron", chapters: [{ body: "<h1>One &amp; only</h1>" }], nav }),
    );
    expect(await openFlow(path, "epub")).toEqual({
      parts: 1,
      title: "Salt & Iron",
      author: "Ada Marsh",
      language: "en",
      outline: [
        { level: 1, title: "Part" },
        { level: 2, title: "One & only" },
      ],
    });
    expect((await readFlowSection(path, "epub", 1)).markdown).toBe("## One & only");
  });

  it("tells the table of contents of older books", async () => {
    const ncx = `<navPoint><navLabel><text>One</text></navLabel><content src="chapter-1.xhtml"/>
      <navPoint><navLabel><text>Inside</text></navLabel><content src="chapter-1.xhtml#x"/></navPoint></navPoint>`;
    const { outline } = await openFlow(await store(makeEpub({ chapters: [{ body: "<p>Text</p>" }], ncx })), "epub");
    expect(outline).toEqual([
      { level: 1, title: "One" },
      { level: 2, title: "Inside" },
    ]);
  });

  it("is found without a mimetype and without a container", async () => {
    const opf = `<package><manifest><item id="a" href="a.html" media-type="text/html"/></manifest><spine><itemref idref="a"/></spine></package>`;
    expect(await readAll(makeZip({ "book.opf": opf, "a.html": "<p>Bare</p>" }))).toEqual(["Bare"]);
  });

  it("is read again when the file has changed", async () => {
    const path = await store(makeEpub({ chapters: [{ body: "<p>Old</p>" }] }));
    await readFlowSection(path, "epub", 1);
    await writeFile(path, makeEpub({ chapters: [{ body: "<p>New</p>" }] }));
    await utimes(path, new Date(), new Date(Date.now() + 5000));
    expect((await readFlowSection(path, "epub", 1)).markdown).toBe("New");
  });

  it("has several sections for a very large file", async () => {
    const body = Array.from({ length: 60 }, (_, i) => `<h2>Day ${i}</h2><p>${makeProse(5, i + 1)}</p>`).join("");
    const sections = await readAll(makeEpub({ chapters: [{ body: `<div><section>${body}</section></div>` }] }), {
      sectionChars: 4000,
    });
    expect(sections.length).toBeGreaterThan(3);
    expect(sections.every((section) => section.startsWith("## Day"))).toBe(true);
    expect(sections.join("\n").match(/^## /gm)).toHaveLength(60);
  });

  it("has no section beyond its last", async () => {
    const path = await store(makeEpub({ chapters: [{ body: "<p>Text</p>" }] }));
    await expect(readFlowSection(path, "epub", 2)).rejects.toMatchObject({ code: "NO_SUCH_PART" });
  });
});

describe("a chapter", () => {
  it("keeps lists, tables, code, emphasis and outside links", async () => {
    expect(
      await readChapter(`<p>[Here] see <a href="https://example.org/">there</a> and <a href="other.xhtml">here</a>, <i>truly </i><b>so</b>.</p>
        <ul><li>one<ul><li>deep</li></ul></li><li>two</li></ul>
        <table><tr><th>Port</th><th>Depth</th></tr><tr><td>Ely | A</td><td><p>3</p><p>m</p><ul><li><p>low</p></li><li>high</li></ul></td></tr></table>
        <pre><code class="language-sh"># no heading
ls</code></pre>`),
    ).toBe(
      [
        "[Here] see [there](https://example.org/) and here, *truly* **so**.",
        "- one\n  - deep\n- two",
        "| Port | Depth |\n| - | - |\n| Ely \\| A | 3 m low; high |",
        "```sh\n# no heading\nls\n```",
      ].join("\n\n"),
    );
  });

  it("is escaped where markdown would misread it", async () => {
    expect(await readChapter("<p>[a](b) [c]: d, [^e], [f] 1 * 2 a@example.org</p><ul><li>[x] g</li></ul>")).toBe(
      "\\[a]\\(b) \\[c]: d, \\[^e], [f] 1 \\* 2 a@example.org\n\n- \\[x] g",
    );
  });

  it("keeps the lines of a poem together", async () => {
    const verse = "The lamp went out\\\nbefore the rain";
    expect(await readChapter(`<p><span>The lamp went out</span><br/><span>before the rain</span></p>`)).toBe(verse);
    expect(
      await readChapter(
        `<div class="stanza"><div>The lamp went out<span class="lnum">10</span></div><div>before the rain</div></div>`,
      ),
    ).toBe(verse);
  });

  it("has notes as footnotes, also those in another file", async () => {
    const sections = await readAll(
      makeEpub({
        chapters: [
          {
            body: `<p>Salt<a epub:type="noteref" id="r1" href="#n1">1</a> and iron<a role="doc-noteref" href="notes.xhtml#n2">2</a>.</p>
              <aside epub:type="footnote" id="n1" hidden="hidden"><p><a href="#r1">1</a> From the sea.</p></aside>`,
          },
          {
            href: "notes.xhtml",
            body: `<section epub:type="endnotes"><ol><li id="n2"><p>From the hills. <a role="doc-backlink" href="chapter-1.xhtml#r2">↩</a></p></li></ol></section>`,
          },
        ],
      }),
    );
    expect(sections).toEqual(["Salt[^1-n1] and iron[^2-n2].\n\n[^1-n1]: From the sea.", "[^2-n2]: From the hills."]);
  });

  it("leaves out what nobody sees: hidden text, scripts, page numbers", async () => {
    expect(
      await readChapter(`<script>steal()</script><script src="x.js"/><style>.gone { display: none }</style>
        <p hidden="hidden">a</p><p aria-hidden="true">b</p><p style="display:none">c</p><p class="gone">d</p>
        <p>Seen<span epub:type="pagebreak" title="4">4</span> text.</p><p>${makeProse(3)}</p>`),
    ).toBe(`Seen text.\n\n${makeProse(3)}`);
  });

  it("says in words what pictures, drawings and formulas show", async () => {
    expect(
      await readChapter(`<p><img src="a.png" alt="A red door"/></p><p><img src="b.png" alt=""/><img src="c.png" alt="cover.jpg"/></p>
        <svg><text>North</text></svg><p>x<sup>2</sup> H<sub>2</sub>O
        <math><mfrac><mi>a</mi><mrow><mi>b</mi><mo>+</mo><mn>1</mn></mrow></mfrac></math></p>`),
    ).toBe("A red door\n\nNorth\n\nx² H₂O a/(b + 1)");
  });

  it("may be a drawing", async () => {
    const body = `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><title>Map</title><text>Harbour</text><text>Pier</text></svg>`;
    const [section] = await readAll(makeEpub({ chapters: [{ body, mediaType: "image/svg+xml", href: "map.svg" }] }));
    expect(section).toBe("Harbour\\\nPier");
  });

  it("understands what only XML means", async () => {
    const body = `<?xml version="1.0"?><h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:head><h:title/></h:head><h:body><h:p>One<h:a id="x"/><h:br></h:br>two <![CDATA[<3 & more]]></h:p></h:body></h:html>`;
    expect(await readAll(makeEpub({ chapters: [{ body }] }))).toEqual(["One\\\ntwo <3 & more"]);
  });
});

describe("a hostile book", () => {
  const chapters = [{ body: "<p>Text</p>" }];
  const open = async (book: Uint8Array, limits?: Partial<FlowLimits>) => readAll(book, limits);

  it("is refused when it is no archive, cut short, damaged or empty", async () => {
    const book = makeEpub({ chapters });
    await expect(open(new Uint8Array(500).fill(65))).rejects.toMatchObject({ code: "CORRUPT_FILE", retryable: false });
    await expect(open(book.slice(0, book.length * 0.6))).rejects.toMatchObject({ code: "CORRUPT_FILE" });
    await expect(open(new Uint8Array())).rejects.toMatchObject({ code: "EMPTY_FILE" });
    const damaged = makeEpub({ chapters: [{ body: makeProse(50) }] });
    const at = Buffer.from(damaged).indexOf("chapter-1.xhtml") + 60;
    damaged.fill(0, at, at + 40);
    await expect(open(damaged)).rejects.toMatchObject({ code: "CORRUPT_FILE" });
    await expect(open(makeEpub({ chapters, files: { "OEBPS/book.opf": "<a><b></a>" } }))).rejects.toMatchObject({
      code: "CORRUPT_FILE",
    });
  });

  it("is refused before it unpacks to a giant", async () => {
    const bomb = makeEpub({ chapters: [{ body: `<p>${"a".repeat(8_000_000)}</p>` }] });
    await expect(open(bomb)).rejects.toMatchObject({ code: "SUSPICIOUS_ARCHIVE" });
    const book = makeEpub({ chapters: [{ body: `<p>${makeProse(200)}</p>` }] });
    await expect(open(book, { maxEntryBytes: 1000 })).rejects.toMatchObject({ code: "ARCHIVE_TOO_LARGE" });
    await expect(open(book, { maxUnpackedBytes: 1000 })).rejects.toMatchObject({ code: "ARCHIVE_TOO_LARGE" });
    await expect(open(book, { maxEntries: 2 })).rejects.toMatchObject({ code: "ARCHIVE_TOO_LARGE" });
  });

  it("is refused when an entry is larger than it says", async () => {
    const book = Buffer.from(makeEpub({ chapters: [{ body: `<p>${makeProse(200)}</p>` }] }));
    const name = book.lastIndexOf("OEBPS/chapter-1.xhtml");
    book.writeUInt32LE(100, name - 46 + 24);
    await expect(open(book)).rejects.toMatchObject({ code: "SUSPICIOUS_ARCHIVE" });
  });

  it("is refused when its text is encrypted, not when its fonts are scrambled", async () => {
    const list = (algorithm: string, file: string) =>
      `<encryption><enc:EncryptedData xmlns:enc="x"><enc:EncryptionMethod Algorithm="${algorithm}"/><enc:CipherData><enc:CipherReference URI="${file}"/></enc:CipherData></enc:EncryptedData></encryption>`;
    const name = "META-INF/encryption.xml";
    const aes = list("http://www.w3.org/2001/04/xmlenc#aes256-cbc", "OEBPS/chapter-1.xhtml");
    await expect(open(makeEpub({ chapters, files: { [name]: aes } }))).rejects.toMatchObject({
      code: "ENCRYPTED_FILE",
    });
    const fonts = list("http://www.idpf.org/2008/embedding", "OEBPS/a.otf");
    expect(await open(makeEpub({ chapters, files: { [name]: fonts } }))).toEqual(["Text"]);
  });

  it("does not make entities grow, nor nesting overflow", async () => {
    const laughs = makeXhtml("<p>Ha &l3;</p>").replace(
      "<!DOCTYPE html>",
      `<!DOCTYPE html [<!ENTITY l1 "ha ha"><!ENTITY l2 "&l1;&l1;"><!ENTITY l3 "&l2;&l2;">]>`,
    );
    expect((await open(makeEpub({ chapters: [{ body: laughs }] }))).join()).not.toContain("ha ha");
    for (const tag of ["div", "blockquote", "b", "table"]) {
      const deep = `<${tag}>`.repeat(100_000);
      const book = makeEpub({ chapters: [{ body: `${deep}<p>bottom</p>` }] });
      expect((await open(book, { maxRatio: 100_000 })).join()).toContain("bottom");
    }
    const deepXml = `<package>${"<a>".repeat(100_000)}</package>`;
    await expect(open(makeEpub({ chapters, files: { "OEBPS/book.opf": deepXml } }))).rejects.toMatchObject({
      code: "CORRUPT_FILE",
    });
  });
});
