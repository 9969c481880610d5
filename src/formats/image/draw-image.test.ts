import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { drawImageGrey, drawImagePng } from "./draw-image.ts";
import { measureImage } from "./measure-image.ts";

const limits = { maxPixels: 4_000_000, maxBytes: 100_000_000, deadlineMs: 60_000 };
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "docmill-image-"));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function save(name: string, image: Sharp): Promise<string> {
  const path = join(folder, name);
  await image.toFile(path);
  return path;
}

function blank(width: number, height: number, background = "white"): Sharp {
  return sharp({ create: { width, height, channels: 3, background } });
}

describe("the size of a page", () => {
  test("follows the resolution the file names", async () => {
    const path = await save("scan.png", blank(850, 1100).withMetadata({ density: 100 }));
    expect(await measureImage(path, 1, limits)).toEqual({ pages: 1, width: 612, height: 792, dpi: 100 });
  });

  test.for([
    ["none", undefined],
    ["what programs write that do not know", 72],
    ["nonsense", 3],
  ] as const)("is that of a 200 dpi scan where it names %s", async ([_what, density]) => {
    const image = blank(1700, 2200);
    const path = await save("photo.jpg", density ? image.withMetadata({ density }) : image);
    expect(await measureImage(path, 1, limits)).toMatchObject({ width: 612, height: 792, dpi: 200 });
  });

  test("is that of the upright image when the camera was turned", async () => {
    const path = await save("turned.jpg", blank(400, 300).withMetadata({ density: 100, orientation: 6 }));
    expect(await measureImage(path, 1, limits)).toMatchObject({ width: 216, height: 288 });
    expect(await drawImageGrey(path, 1, limits, { dpi: 100, maxPixels: 1e6 })).toMatchObject({
      width: 300,
      height: 400,
    });
  });
});

describe("drawing", () => {
  test("gives one grey byte a pixel, on white where the image lets through", async () => {
    const clear = sharp({
      create: { width: 200, height: 100, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    });
    const path = await save("clear.png", clear.withMetadata({ density: 100 }));
    const drawn = await drawImageGrey(path, 1, limits, { dpi: 50, maxPixels: 1e6 });
    expect(drawn).toMatchObject({ width: 100, height: 50, dpi: 50 });
    expect(drawn.data).toHaveLength(5_000);
    expect(drawn.data.every((value) => value === 255)).toBe(true);
  });

  test("never enlarges, and keeps below the number of pixels allowed", async () => {
    const path = await save("small.png", blank(200, 200).withMetadata({ density: 100 }));
    expect(await drawImageGrey(path, 1, limits, { dpi: 300, maxPixels: 1e6 })).toMatchObject({ width: 200, dpi: 100 });
    expect(await drawImageGrey(path, 1, limits, { dpi: 300, maxPixels: 10_000 })).toMatchObject({
      width: 100,
      dpi: 50,
    });
  });

  test("gives a PNG in colour", async () => {
    const path = await save("red.webp", blank(40, 40, "#ff0000"));
    const png = await drawImagePng(path, 1, limits, { dpi: 200, maxPixels: 1e6 });
    expect(await sharp(png).metadata()).toMatchObject({ format: "png", width: 40, height: 40 });
    const { dominant } = await sharp(png).stats();
    expect(dominant.r).toBeGreaterThan(200);
    expect(dominant.g).toBeLessThan(60);
  });
});

test("a TIFF has pages of their own sizes", async () => {
  const path = join(folder, "fax.tif");
  await writeFile(
    path,
    writeTiff([
      { width: 16, height: 8, value: 0 },
      { width: 24, height: 32, value: 255 },
    ]),
  );
  expect(await measureImage(path, 1, limits)).toMatchObject({ pages: 2 });
  const [first, second] = await Promise.all(
    [1, 2].map((page) => drawImageGrey(path, page, limits, { dpi: 200, maxPixels: 1e6 })),
  );
  expect(first).toMatchObject({ width: 16, height: 8 });
  expect(second).toMatchObject({ width: 24, height: 32 });
  expect([first?.data[0], second?.data[0]]).toEqual([0, 255]);
});

describe("what is refused", () => {
  test("too many pixels", async () => {
    const path = await save("huge.png", blank(2_001, 2_000));
    await expect(measureImage(path, 1, limits)).rejects.toMatchObject({ code: "IMAGE_TOO_LARGE", retryable: false });
  });

  test("a file that is cut short, or no image at all", async () => {
    const noise = sharp({
      create: {
        width: 500,
        height: 500,
        channels: 3,
        background: "white",
        noise: { type: "gaussian", mean: 128, sigma: 60 },
      },
    });
    const path = await save("whole.jpg", noise);
    const whole = await readFile(path);
    const cut = join(folder, "cut.jpg");
    await writeFile(cut, whole.subarray(0, whole.length / 2));
    await expect(drawImageGrey(cut, 1, limits, { dpi: 200, maxPixels: 1e6 })).rejects.toMatchObject({
      code: "CORRUPT_IMAGE",
    });
    await writeFile(cut, "\x89PNG\r\n\x1a\n and nothing else");
    await expect(measureImage(cut, 1, limits)).rejects.toMatchObject({ code: "CORRUPT_IMAGE" });
  });

  test("a page that is not there", async () => {
    const png = await save("one.png", blank(10, 10));
    await expect(measureImage(png, 2, limits)).rejects.toMatchObject({ code: "NO_SUCH_PART" });
    const tiff = await save("one.tif", blank(10, 10));
    await expect(measureImage(tiff, 2, limits)).rejects.toMatchObject({ code: "NO_SUCH_PART" });
  });
});

/** Uncompressed grey pages, each one value all over; sharp writes several pages in one size only. */
function writeTiff(pages: { width: number; height: number; value: number }[]): Buffer {
  const parts: Buffer[] = [Buffer.from("II*\0\x08\0\0\0", "latin1")];
  let at = 8;
  pages.forEach(({ width, height, value }, index) => {
    const tags = [
      [256, width],
      [257, height],
      [258, 8],
      [259, 1],
      [262, 1],
      [273, at + 2 + 9 * 12 + 4],
      [277, 1],
      [278, height],
      [279, width * height],
    ];
    const directory = Buffer.alloc(2 + tags.length * 12 + 4);
    directory.writeUInt16LE(tags.length, 0);
    tags.forEach(([tag = 0, number = 0], row) => {
      directory.writeUInt16LE(tag, 2 + row * 12);
      directory.writeUInt16LE(4, 4 + row * 12);
      directory.writeUInt32LE(1, 6 + row * 12);
      directory.writeUInt32LE(number, 10 + row * 12);
    });
    const pixels = Buffer.alloc(width * height, value);
    at += directory.length + pixels.length;
    directory.writeUInt32LE(index + 1 < pages.length ? at : 0, directory.length - 4);
    parts.push(directory, pixels);
  });
  return Buffer.concat(parts);
}

test("a file that is gone is not called a broken image", async () => {
  await expect(measureImage(join(folder, "gone.png"), 1, limits)).rejects.toMatchObject({ code: "ENOENT" });
});
