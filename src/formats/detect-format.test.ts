import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { detectFormat, detectFormatOfFile } from "./detect-format.ts";

const latin1 = (text: string) => Buffer.from(text, "latin1");
const zip = (entries: Record<string, string>, level: 0 | 9 = 9) =>
  zipSync(Object.fromEntries(Object.entries(entries).map(([name, text]) => [name, strToU8(text)])), { level });
const pixel = sharp({ create: { width: 2, height: 2, channels: 3, background: "red" } });

describe("images and PDFs", () => {
  test.for(["png", "jpeg", "tiff", "webp"] as const)("%s is told from its bytes, whatever its name", async (format) => {
    const bytes = await pixel.clone().toFormat(format).toBuffer();
    expect(await detectFormat(bytes, "letter.pdf")).toBe(format);
  });

  test("a PDF may have junk before its header", async () => {
    expect(await detectFormat(latin1("%PDF-1.7\n"))).toBe("pdf");
    expect(await detectFormat(latin1(`${"\0".repeat(1000)}%PDF-1.4\n\xe2\xe3`))).toBe("pdf");
    expect(await detectFormat(latin1("From a mail server\r\n%PDF-1.4\n1 0 obj"), "invoice.pdf")).toBe("pdf");
    expect(await detectFormat(latin1("A PDF begins with %PDF-1.4, always."), "notes.txt")).toBe("text");
  });
});

describe("zip archives", () => {
  test("EPUB and DOCX are told by what is inside", async () => {
    expect(await detectFormat(zip({ mimetype: "application/epub+zip" }, 0))).toBe("epub");
    expect(
      await detectFormat(zip({ "OPS/a.html": "x", mimetype: "application/epub+zip", "META-INF/container.xml": "" })),
    ).toBe("epub");
    expect(await detectFormat(zip({ "[Content_Types].xml": "", "word/document.xml": "" }))).toBe("docx");
  });

  test.for([
    ["an Excel workbook", { "[Content_Types].xml": "", "xl/workbook.xml": "" }],
    ["a PowerPoint presentation", { "[Content_Types].xml": "", "ppt/presentation.xml": "" }],
    ["an OpenDocument text file", { mimetype: "application/vnd.oasis.opendocument.text" }],
    ["a Java archive", { "META-INF/MANIFEST.MF": "" }],
  ] as const)("%s is refused by its name", async ([looksLike, entries]) => {
    await expect(detectFormat(zip(entries, 0))).rejects.toMatchObject({
      code: "UNSUPPORTED_TYPE",
      details: { looksLike },
    });
  });

  describe("whose first bytes do not tell", () => {
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "docmill-detect-"));
    });
    afterAll(async () => {
      await rm(folder, { recursive: true });
    });

    /** Random enough not to be packed small. */
    const picture = Array.from({ length: 90_000 }, (_, index) =>
      String.fromCharCode(33 + ((index * index * 31) % 89)),
    ).join("");

    test("are decided by their directory", async () => {
      const bytes = zip({ "[Content_Types].xml": "", "media/a.bin": picture, "word/document.xml": "" }, 0);
      expect(await detectFormat(bytes.subarray(0, 65_536))).toBeUndefined();
      const path = join(folder, "late.docx");
      await writeFile(path, bytes);
      expect(await detectFormatOfFile(path)).toBe("docx");
    });

    test("and hold nothing known are refused", async () => {
      const path = join(folder, "photos.epub");
      await writeFile(path, zip({ "a.jpg": "", "b.jpg": "" }));
      await expect(detectFormatOfFile(path, "photos.epub")).rejects.toMatchObject({
        code: "UNSUPPORTED_TYPE",
        message: expect.stringContaining("a ZIP archive"),
      });
    });
  });
});

describe("text", () => {
  test.for([
    ["notes.txt", "Plain words.", "text"],
    ["notes.md", "# Words", "markdown"],
    ["README.MARKDOWN", "# Words", "markdown"],
    ["data", "a,b\n1,2\n", "text"],
    ["page", "  <!-- made by hand -->\n<!DOCTYPE html><p>Hi", "html"],
    ["page.txt", '<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml"></html>', "html"],
    ["page.htm", "<p>No doctype</p>", "html"],
    ["page.txt", "<p>No doctype</p>", "text"],
    ["page.md", "<p align=center>A logo</p>\n\n# Words", "markdown"],
  ] as const)("%s with %j is %s", async ([name, text, format]) => {
    expect(await detectFormat(Buffer.from(text), name)).toBe(format);
  });

  test("may be in any usual encoding, and may be cut inside a character", async () => {
    expect(await detectFormat(Buffer.from("\ufeffmit Zeichen davor"))).toBe("text");
    expect(await detectFormat(Buffer.from("\ufeff<html>", "utf16le"))).toBe("html");
    expect(await detectFormat(Buffer.from("\ufeffgroß", "utf16le").swap16())).toBe("text");
    expect(await detectFormat(latin1("Gr\xfc\xdfe aus M\xfcnchen"))).toBe("text");
    expect(await detectFormat(Buffer.from("länger").subarray(0, 2))).toBe("text");
  });

  test("comments without end or without number take no time", async () => {
    expect(await detectFormat(Buffer.from("<!---->".repeat(9_000)))).toBe("text");
    expect(await detectFormat(Buffer.from("<!-- ".repeat(13_000)))).toBe("text");
  });
});

describe("what is refused", () => {
  const mp4 = latin1("\0\0\0\x18ftypmp42\0\0\0\0mp42isom");

  test.for([
    ["an empty file", Buffer.alloc(0), "EMPTY_FILE", /empty/],
    ["a video", mp4, "UNSUPPORTED_TYPE", /an MP4 video/],
    ["a GIF", latin1("GIF89a\x01\0\x01\0\0\0\0"), "UNSUPPORTED_TYPE", /a GIF image/],
    ["noise", Buffer.from([0, 1, 2, 3, 250, 0, 9, 200, 0, 0, 130, 3]), "UNSUPPORTED_TYPE", /no known kind/],
    ["RTF", latin1("{\\rtf1\\ansi Hello}"), "UNSUPPORTED_TYPE", /RTF/],
    ["an empty archive", latin1(`PK\x05\x06${"\0".repeat(18)}`), "UNSUPPORTED_TYPE", /empty ZIP/],
    ["an old Word file", ole("WordDocument"), "UNSUPPORTED_TYPE", /before 2007/],
    ["a locked Office file", ole("EncryptedPackage"), "ENCRYPTED_FILE", /password/],
  ] as const)("%s", async ([_name, bytes, code, message]) => {
    await expect(detectFormat(bytes, "file.pdf")).rejects.toMatchObject({ code, retryable: false });
    await expect(detectFormat(bytes, "file.pdf")).rejects.toThrow(message);
  });

  function ole(stream: string): Buffer {
    return Buffer.concat([
      latin1("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
      Buffer.alloc(512),
      Buffer.from(stream, "utf16le"),
    ]);
  }
});
