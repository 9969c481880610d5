/** Opens the image of a page: decoded, as its EXIF says it is to be held, on white, in grey, and not larger than is useful. */
import sharp, { type Sharp } from "sharp";
import { TerminalError } from "../../../errors.ts";
import type { PageImage } from "../ocr-engine.ts";
import type { GreyImage } from "./grey-image.ts";

export interface ReadImage {
  image: GreyImage;
  /** Pixels of the image as it came per pixel of the image as it was read. */
  reduced: number;
}

/** What decoding may be asked to do: an A0 poster at 200 dpi has 62 million pixels. */
const mostInputPixels = 200_000_000;
/** An A4 page at 400 dpi has 15 million; more costs time and shows nothing more. */
const mostPixels = 16_000_000;
const decodeSeconds = 60;

export async function readGrey(page: PageImage): Promise<ReadImage> {
  if (page.format === "grey") return reduceGrey(page);
  const input = Buffer.from(page.data.buffer, page.data.byteOffset, page.data.byteLength);
  try {
    const decoder = sharp(input, { limitInputPixels: mostInputPixels, failOn: "error" });
    const { width, height, autoOrient } = await decoder.metadata();
    const reduced = reduction(width * height);
    let pipeline = decoder.autoOrient();
    if (reduced > 1) pipeline = pipeline.resize({ width: Math.round(autoOrient.width / reduced) });
    return { image: await toGrey(pipeline.flatten({ background: "#ffffff" })), reduced };
  } catch (cause) {
    throw explainFailure(cause);
  }
}

async function reduceGrey({ data, width, height }: PageImage): Promise<ReadImage> {
  if (data.length !== width * height) {
    throw new TerminalError("CORRUPT_IMAGE", "The page's image has not as many pixels as its size says.");
  }
  const reduced = reduction(width * height);
  const image = { data, width, height };
  return reduced > 1 ? { image: await scaleGrey(image, 1 / reduced), reduced } : { image, reduced };
}

function reduction(pixels: number): number {
  return Math.max(1, Math.sqrt(pixels / mostPixels));
}

export async function scaleGrey({ data, width, height }: GreyImage, factor: number): Promise<GreyImage> {
  const scaled = sharp(data, { raw: { width, height, channels: 1 } });
  return toGrey(scaled.resize({ width: Math.round(width * factor), height: Math.round(height * factor), fit: "fill" }));
}

async function toGrey(pipeline: Sharp): Promise<GreyImage> {
  const { data, info } = await pipeline
    .greyscale()
    .timeout({ seconds: decodeSeconds })
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  if (info.channels !== 1) throw new Error(`sharp gave ${info.channels} channels instead of one`);
  // sharp's own memory cannot be moved between threads; the copy takes two milliseconds.
  return { data: new Uint8Array(data), width: info.width, height: info.height };
}

function explainFailure(cause: unknown): TerminalError {
  const message = cause instanceof Error ? cause.message : String(cause);
  if (message.includes("exceeds pixel limit")) {
    const limit = `${mostInputPixels / 1e6} million pixels`;
    return new TerminalError("IMAGE_TOO_LARGE", `The image has more than ${limit}; scan it at a lower resolution.`, {
      cause,
    });
  }
  return new TerminalError("CORRUPT_IMAGE", "The image is damaged or of a kind that cannot be read.", { cause });
}
