import { expect, test } from "vitest";
import { toFileName } from "./file-name.ts";

/** As Node gives headers: every byte a character. */
const latin1 = (text: string) => Buffer.from(text).toString("latin1");
const url = new URL("https://files.example/path/from%20url.pdf?x=1");

test.each<[header: string | undefined, name: string | undefined]>([
  [undefined, "from url.pdf"],
  ["attachment", "from url.pdf"],
  ["inline; filename=plain.pdf", "plain.pdf"],
  ['attachment; filename="two words.pdf"', "two words.pdf"],
  ['attachment; filename="a \\"quoted\\" one.pdf"; size=3', 'a "quoted" one.pdf'],
  ["attachment; filename=\"plain.pdf\"; filename*=UTF-8''%C3%A9t%C3%A9.pdf", "été.pdf"],
  ["attachment; filename*=utf-8'fr'%C3%A9t%C3%A9.pdf; filename=plain.pdf", "été.pdf"],
  ["attachment; filename*=iso-8859-1''%E9t%E9.pdf", "été.pdf"],
  ["attachment; filename*=UTF-8''%FF%FE; filename=plain.pdf", "plain.pdf"],
  ["attachment; filename*=invented''x; filename=plain.pdf", "plain.pdf"],
  [latin1('attachment; filename="résumé 漢字.pdf"'), "résumé 漢字.pdf"],
  ['attachment; filename="r\xe9sum\xe9.pdf"', "résumé.pdf"],
  ['attachment; filename="with%20percent.pdf"', "with percent.pdf"],
  ['attachment; filename="100%.pdf"', "100%.pdf"],
  ['attachment; filename="../../etc/passwd"', "passwd"],
  ['attachment; filename="C:\\\\temp\\\\report.pdf"', "report.pdf"],
  ["attachment; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd", "passwd"],
  ['attachment; filename="...hidden"', "hidden"],
  ['attachment; filename=".."', "from url.pdf"],
  ['attachment; filename=""', "from url.pdf"],
  ["attachment; filename*=UTF-8''invoice%E2%80%AEfdp.exe", "invoicefdp.exe"],
  ["attachment; filename*=UTF-8''a%00b%0D%0Ac.pdf", "abc.pdf"],
])("%j gives %j", (header, name) => {
  expect(toFileName(header, url)).toBe(name);
});

test("a path without a name gives none, and one that cannot be decoded neither", () => {
  expect(toFileName(undefined, new URL("https://files.example/"))).toBeUndefined();
  expect(toFileName(undefined, new URL("https://files.example/%ff%fe"))).toBeUndefined();
});

test("a long name is cut before its ending", () => {
  const name = toFileName(`attachment; filename=${"x".repeat(500)}.pdf`, url);
  expect(name).toMatch(/^x{196}\.pdf$/);
});
