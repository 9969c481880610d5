import { chmod, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { drawNoise, drawScan, editScan, scanLines } from "../../../../test/support/sample-scans.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import type { Word } from "../../../layout/page.ts";
import type { OcrEngine, PageImage } from "../ocr-engine.ts";
import { findTesseract } from "./find-tesseract.ts";
import { openLocalOcr } from "./open-local-ocr.ts";

const native = await findTesseract("tesseract");
const engines = [
  { title: "tesseract-wasm", nativeCommand: false as const },
  ...(native ? [{ title: "native tesseract", nativeCommand: native.command }] : []),
];

const call = {
  signal: new AbortController().signal,
  remember: () => Promise.reject(new Error("local OCR costs nothing")),
};
const wanted = scanLines.join(" ").split(" ");

/** How many of the page's words were read, of all. */
function share(words: readonly Word[]): number {
  const read = new Set(words.map(({ text }) => text));
  return wanted.filter((word) => read.has(word)).length / wanted.length;
}

function find(words: readonly Word[], text: string): Word {
  const word = words.find((one) => one.text === text);
  if (!word) throw new Error(`${text} was not read; this was: ${words.map((one) => one.text).join(" ")}`);
  return word;
}

describe.each(engines)("$title", ({ nativeCommand }) => {
  let ocr: OcrEngine;
  let scan: PageImage;

  beforeAll(async () => {
    ocr = await openLocalOcr({ threads: 2, nativeCommand });
    scan = await drawScan();
  });
  afterAll(() => ocr.close());

  const read = (page: PageImage) => ocr.recognise(page, call);

  test("reads a clean page: words in order, boxes and size in points", async () => {
    const page = await read({ ...scan, data: scan.data.slice() });
    expect(page).toMatchObject({ turned: 0, blank: false });
    expect(page.width).toBeCloseTo(360, 0);
    expect(page.height).toBeCloseTo(216, 0);
    expect(page.words.map(({ text }) => text).join(" ")).toBe(scanLines.join(" "));
    const first = find(page.words, "The").box;
    expect(first.x).toBeGreaterThan(23);
    expect(first.x).toBeLessThan(26);
    expect(first.y).toBeGreaterThan(24);
    expect(first.y + first.height).toBeLessThan(40);
    expect(find(page.words, "passengers").box.y).toBeGreaterThan(175);
    for (const { confidence } of page.words) expect(confidence).toBeGreaterThan(0.5);
  });

  test("levels a skewed page, and tells boxes as the page lies", async () => {
    const page = await read(await editScan(scan, (image) => image.rotate(3, { background: "#fff" })));
    expect(share(page.words)).toBeGreaterThan(0.95);
    expect(page.skew).toBeGreaterThan(2.7);
    expect(page.skew).toBeLessThan(3.3);
    const start = find(page.words, "The").box;
    const end = find(page.words, "every").box;
    const slope = (end.y + end.height / 2 - start.y - start.height / 2) / (end.x - start.x);
    expect(slope).toBeGreaterThan(0.035);
    expect(slope).toBeLessThan(0.075);
  });

  test.each([90, 180, 270] as const)("stands a page upright that must be turned by %i degrees", async (turned) => {
    const page = await read(await editScan(scan, (image) => image.rotate(360 - turned)));
    expect(page.turned).toBe(turned);
    expect(share(page.words)).toBeGreaterThan(0.95);
    expect(page.width).toBeCloseTo(360, 0);
    expect(find(page.words, "passengers").box.y).toBeGreaterThan(175);
  });

  test("holds a photograph as its EXIF says", async () => {
    const sideways = await editScan(scan, (image) => image.rotate(270).withMetadata({ orientation: 6 }));
    const page = await read(sideways);
    expect(page.turned).toBe(0);
    expect(page.width).toBeCloseTo(360, 0);
    expect(share(page.words)).toBeGreaterThan(0.95);
  });

  test("enlarges what was scanned too small", async () => {
    const page = await read(await drawScan(80));
    expect(share(page.words)).toBeGreaterThan(0.9);
    expect(page.width).toBeCloseTo(360, -1);
  });

  test("reads light on dark", async () => {
    const page = await read(await editScan(scan, (image) => image.negate()));
    expect(share(page.words)).toBeGreaterThan(0.95);
  });

  test("reads a page that lies half in shadow", async () => {
    const { width, height } = scan;
    const shadow = `<svg width="${width}" height="${height}"><defs><linearGradient id="g"><stop offset="0.2" stop-color="#fff"/><stop offset="1" stop-color="#444"/></linearGradient></defs><rect width="100%" height="100%" fill="url(#g)"/></svg>`;
    const page = await read(
      await editScan(scan, (image) =>
        image.toColourspace("srgb").composite([{ input: Buffer.from(shadow), blend: "multiply" }]),
      ),
    );
    expect(share(page.words)).toBeGreaterThan(0.95);
  });

  test("asks nobody about a blank page", async () => {
    expect(await read(drawNoise())).toMatchObject({ blank: true, words: [] });
    const white = await editScan(scan, (image) => image.linear(0, 255));
    expect(await read(white)).toMatchObject({ blank: true, words: [] });
  });

  test("reads many pages at once", async () => {
    const pages = await Promise.all(Array.from({ length: 6 }, () => read({ ...scan, data: scan.data.slice() })));
    for (const page of pages) expect(share(page.words)).toBe(1);
  });

  test("a damaged image, a late one and an unwanted one fail alone", async () => {
    const png = await editScan(scan, (image) => image);
    const cut = { ...png, data: png.data.slice(0, png.data.length / 2) };
    const leave = new AbortController();
    const unwanted = ocr.recognise({ ...png, data: png.data.slice() }, { ...call, signal: leave.signal });
    const outcomes = Promise.allSettled([
      read(cut),
      read({ ...png, data: new TextEncoder().encode("no image at all") }),
      ocr.recognise({ ...png, data: png.data.slice() }, { ...call, deadlineMs: 1 }),
      unwanted,
      read({ ...scan, data: scan.data.slice() }),
    ]);
    leave.abort(new Error("nobody waits"));
    const [damaged, nonsense, late, left, good] = await outcomes;
    expect(damaged).toMatchObject({ reason: { code: "CORRUPT_IMAGE", retryable: false } });
    expect(nonsense).toMatchObject({ reason: { code: "CORRUPT_IMAGE", retryable: false } });
    expect(late).toMatchObject({ reason: { code: "TIME_LIMIT", retryable: false } });
    expect(left).toMatchObject({ reason: { message: "nobody waits" } });
    expect(good).toMatchObject({ status: "fulfilled", value: { blank: false } });
  });

  test("tells what to do about a language it does not have", async () => {
    await expect(openLocalOcr({ threads: 1, nativeCommand, languages: ["xyz"] })).rejects.toMatchObject({
      code: "OCR_LANGUAGE_MISSING",
      message: expect.stringContaining(".traineddata"),
    });
    await expect(
      openLocalOcr({ threads: 1, nativeCommand, languages: ["nowhere/eng.traineddata"] }),
    ).rejects.toMatchObject({ code: "OCR_LANGUAGE_MISSING" });
  });
});

/** A native Tesseract that is a script: what it does once it is given its input. */
async function writeTesseract(folder: string, work: string): Promise<string> {
  const command = join(folder, "tesseract");
  const script = `#!/bin/sh
case "$1" in
  --version) echo "tesseract 5.9.9";;
  --list-langs) echo 'List of available languages in "${folder}" (1):'; echo eng;;
  *) echo started >>${folder}/starts; ${work};;
esac`;
  await writeFile(command, script);
  await chmod(command, 0o755);
  return command;
}

test("a native tesseract that fails, stalls or disappears costs its page, not the engine", async () => {
  const folder = await makeTemporaryFolder();
  try {
    const command = await writeTesseract(folder, "read name; echo broken >&2; exit 3");
    const ocr = await openLocalOcr({ threads: 1, nativeCommand: command });
    expect(ocr.name).toBe("tesseract 5.9.9");
    await expect(ocr.recognise(await drawScan(), call)).rejects.toMatchObject({ code: "OCR_FAILED", retryable: false });
    await rm(command);
    const gone = ocr.recognise(await drawScan(), call);
    await expect(gone).rejects.toMatchObject({ code: "OCR_UNAVAILABLE", retryable: true });
    await writeTesseract(folder, "exec sleep 600");
    const stalled = ocr.recognise(await drawScan(), { ...call, deadlineMs: 2000 });
    await expect(stalled).rejects.toMatchObject({ code: "TIME_LIMIT" });
    const waiting = ocr.recognise(await drawScan(), call);
    await Promise.all([expect(waiting).rejects.toMatchObject({ code: "OCR_CLOSED" }), ocr.close()]);
  } finally {
    await removeTemporaryFolder(folder);
  }
});

/** Finds one word on every page, with rows as Tesseract writes them, and ends when it is told of no more. */
const answerEach = String.raw`while read page && read blank; do
  printf '5\t1\t1\t1\t1\t1\t10\t10\t50\t20\t96\tferry\n1\t2\t0\t0\t0\t0\t0\t0\t7\t5\t-1\t\n'
done`;

test.each([
  { title: "stays for the pages that follow", work: answerEach, starts: 1 },
  // `stdbuf` says in the surroundings what it was asked for.
  {
    title: "that holds its answers back until it ends reads one page",
    work: `[ -z "$_STDBUF_O" ] || exit 1; ${answerEach}`,
    starts: 4,
  },
])("a native tesseract $title", async ({ work, starts }) => {
  const folder = await makeTemporaryFolder();
  try {
    const ocr = await openLocalOcr({ threads: 1, nativeCommand: await writeTesseract(folder, work) });
    for (let page = 0; page < 3; page++) {
      const { words } = await ocr.recognise(await drawScan(), call);
      expect(words.map(({ text }) => text)).toEqual(["ferry"]);
    }
    await ocr.close();
    const log = await readFile(join(folder, "starts"), "utf8");
    expect(log.trim().split("\n")).toHaveLength(starts);
  } finally {
    await removeTemporaryFolder(folder);
  }
});

test("an old native tesseract is passed over", async () => {
  const folder = await makeTemporaryFolder();
  try {
    const command = join(folder, "tesseract");
    await writeFile(command, "#!/bin/sh\necho tesseract 4.1.1\n");
    await chmod(command, 0o755);
    const ocr = await openLocalOcr({ threads: 1, nativeCommand: command });
    expect(ocr.name).toBe("tesseract-wasm");
    await ocr.close();
  } finally {
    await removeTemporaryFolder(folder);
  }
});
