import { describe, expect, it } from "vitest";
import { addSheets, ofUrl, readAddresses, urlsOf } from "./chosen-sheets.ts";

describe("heat sheets that were chosen", () => {
  it("has each address once, whatever its fragment", () => {
    const once = addSheets([ofUrl("https://meet.example/a.pdf")], [ofUrl("https://meet.example/a.pdf#page=2")]);
    expect(urlsOf(once)).toEqual(["https://meet.example/a.pdf"]);
  });

  it("names an address by its file, or by its host", () => {
    expect(ofUrl("https://meet.example/heat%20sheets/day%201.pdf").name).toBe("day 1.pdf");
    expect(ofUrl("https://meet.example/").name).toBe("meet.example");
    expect(ofUrl("https://meet.example/a.pdf", "Saturday").name).toBe("Saturday");
  });

  it("tells addresses from other lines", () => {
    const text =
      "https://meet.example/a.pdf\n\n meet.example/b.pdf \nftp://meet.example/c.pdf\nhttp://me:secret@x.example/d.pdf";
    expect(readAddresses(text)).toEqual({
      addresses: ["https://meet.example/a.pdf"],
      refused: ["meet.example/b.pdf", "ftp://meet.example/c.pdf", "http://me:secret@x.example/d.pdf"],
    });
  });
});
