import { expect, test } from "vitest";
import { PageBuilder } from "../../test/support/page-builder.ts";
import { arrangePage } from "./arrange-page.ts";

const body = Array.from({ length: 8 }, (_, i) => `line${i} of the text that is what most of this page is made of here`);

function blocksOf(page: PageBuilder): string[] {
  return arrangePage(page.build()).map((block) => (block.kind === "table" ? "TABLE" : `${block.kind}: ${block.text}`));
}

test("a block of names is one paragraph and no heading", () => {
  const page = new PageBuilder()
    .line(150, 40, "Of Mills and Their Wheels", { size: 18, bold: true })
    .line(90, 80, "Anna Muster, Bert Beispiel, Carla Probe, Dora Test,", { size: 12 })
    .line(60, 95, "Emil Versuch, Frida Vorlage, Gustav Entwurf, Hanna Skizze,", { size: 12 })
    .line(45, 110, "Ida Modell, Julius Schema, Klara Raster, Ludwig Gitter, Mia Netz", { size: 12 })
    .lines(60, 150, body);
  const blocks = blocksOf(page);
  expect(blocks[1]).toMatch(/^paragraph: Anna Muster, .* Mia Netz$/);
  expect(blocks).toHaveLength(3);
});

test("a heading of two lines is one, also where it ends at the right edge", () => {
  const page = new PageBuilder()
    .line(100, 40, "ABOUT THE HANDLING OF MILLS (FROM AN", { size: 14, bold: true })
    .line(275, 57, "OLDER BOOK)", { size: 14, bold: true })
    .lines(60, 100, body);
  expect(blocksOf(page)[0]).toBe("heading: ABOUT THE HANDLING OF MILLS (FROM AN OLDER BOOK)");
});

test("a paragraph may end with code, which is then no listing", () => {
  const page = new PageBuilder()
    .lines(60, 40, body.slice(0, 7))
    .line(60, 124, "and these directories belong to whoever is the owner of it, or to")
    .line(60, 136, "root:staff.", { mono: true })
    .line(90, 160, "chown root:staff mill", { mono: true });
  const blocks = blocksOf(page);
  expect(blocks[0]).toMatch(/or to `root:staff`\.$/);
  expect(blocks.slice(1)).toEqual(["code: chown root:staff mill"]);
});

test("a hyphen in a name of code is kept at the end of a line", () => {
  const page = new PageBuilder()
    .line(60, 40, "and there are many programs of this kind, but the best one is")
    .line(368, 40, "grind-", { mono: true })
    .line(60, 52, "wheel", { mono: true })
    .line(90, 52, "as all of us who ever had to use one of them know.");
  expect(blocksOf(page)[0]).toContain("is `grind-wheel` as all");
});

test("a sign from another face is part of the code around it", () => {
  const page = new PageBuilder()
    .lines(60, 40, body)
    .line(90, 160, "sqrt (2)", { mono: true })
    .line(110, 172, "⇒")
    .line(125, 172, "1.4142", { mono: true })
    .line(90, 184, "≡")
    .line(90, 196, "root (2)", { mono: true });
  expect(blocksOf(page).at(-1)).toBe("code: sqrt (2)\n    ⇒  1.4142\n≡\nroot (2)");
});

test("an item whose text is code keeps its marker", () => {
  const page = new PageBuilder().lines(60, 40, body);
  for (const [i, path] of ["/etc/mill", "/etc/wheel"].entries())
    page.line(60, 160 + i * 14, "•").line(75, 160 + i * 14, path, { mono: true });
  expect(blocksOf(page).slice(1)).toEqual(["list_item: /etc/mill", "list_item: /etc/wheel"]);
});

test("calls of a function below each other are not one line", () => {
  const page = new PageBuilder().lines(60, 40, body);
  for (const [i, rest] of ["(wheel)", "(wheel, stone)", "(. . ., sack)"].entries())
    page.line(60, 160 + i * 12, "grind", { mono: true }).line(88, 160 + i * 12, rest);
  expect(blocksOf(page).slice(1)).toEqual([
    "paragraph: `grind` (wheel)",
    "paragraph: `grind` (wheel, stone)",
    "paragraph: `grind` (. . ., sack)",
  ]);
});

test("terms with their explanations behind them are a paragraph each", () => {
  const page = new PageBuilder().lines(60, 40, body);
  const terms = ["wheel", "stone", "sack"];
  terms.forEach((term, i) => {
    page.line(60, 160 + i * 24, term).line(120, 160 + i * 24, `what is said about the ${term} in this book and`);
    page.line(120, 172 + i * 24, "in the others that were written before it");
  });
  expect(blocksOf(page).slice(1)).toEqual(
    terms.map(
      (term) =>
        `paragraph: ${term} what is said about the ${term} in this book and in the others that were written before it`,
    ),
  );
});
