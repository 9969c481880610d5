/**
 * Image files as documents: one page, or the pages of a TIFF. The size of a page comes from the resolution the file
 * names, unless that makes a page no scanner has seen.
 */
import { access } from "node:fs/promises";
import sharp, { type Metadata, type Sharp } from "sharp";
import { TerminalError } from "../../errors.ts";

export interface ImageLimits {
  maxPixels: number;
  /** Of an image that has to be unpacked as a whole. */
  maxBytes: number;
  /** After this libvips gives up by itself. */
  deadlineMs: number;
}

interface ImageMeasures {
  pages: number;
  /** Of the page asked for, in points and upright. */
  width: number;
  height: number;
  dpi: number;
}

// The pool has a thread for each core.
sharp.concurrency(1);
sharp.cache(false);

export async function measureImage(path: string, page: number, limits: ImageLimits): Promise<ImageMeasures> {
  // For libvips a file that cannot be opened is as broken as any.
  await access(path);
  const metadata = await explainImageErrors(() => openImage(path, page, limits).metadata());
  const { format, density } = metadata;
  // Frames of an animation are not pages.
  const pages = format === "tiff" ? (metadata.pages ?? 1) : 1;
  if (page > pages) throw noSuchPage();
  const { width, height } = uprightSize(metadata);
  if (width * height > limits.maxPixels) throw tooLarge();
  if (isUnpackedWhole(metadata) && width * height * bytesOfPixel(metadata) > limits.maxBytes) throw tooLarge();
  const dpi = plausibleDpi(density, width, height);
  return { pages, width: (width / dpi) * 72, height: (height / dpi) * 72, dpi };
}

export function openImage(path: string, page: number, { maxPixels, deadlineMs }: ImageLimits): Sharp {
  const image = sharp(path, { page: page - 1, limitInputPixels: maxPixels, failOn: "error" });
  return image.timeout({ seconds: Math.ceil(deadlineMs / 1000) });
}

/** Runs libvips; what it says about a broken file becomes a code. */
export async function explainImageErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (/pixel limit/i.test(message)) throw tooLarge(error);
    if (/does not contain page|bad page number/i.test(message)) throw noSuchPage();
    if (/timeout/i.test(message))
      throw new TerminalError("TIME_LIMIT", "Reading the image took too long.", { cause: error });
    throw new TerminalError("CORRUPT_IMAGE", "The image is damaged and cannot be read.", { cause: error });
  }
}

function uprightSize({ width, height, pageHeight, orientation = 1 }: Metadata) {
  const stored = pageHeight ?? height;
  return orientation >= 5 ? { width: stored, height: width } : { width, height: stored };
}

/** Plain PNG and JPEG are read line by line; what comes in passes, tiles or one piece takes memory for all of it. */
function isUnpackedWhole({ format, isProgressive }: Metadata): boolean {
  return isProgressive === true || (format !== "png" && format !== "jpeg");
}

function bytesOfPixel({ channels = 4, depth }: Metadata): number {
  return channels * (sampleBytes[depth ?? ""] ?? 1);
}

/** Of libvips' number formats; all others take one byte. */
const sampleBytes: Record<string, number> = {
  short: 2,
  ushort: 2,
  int: 4,
  uint: 4,
  float: 4,
  complex: 8,
  double: 8,
  dpcomplex: 16,
};

function tooLarge(cause?: unknown): TerminalError {
  return new TerminalError("IMAGE_TOO_LARGE", "The image has more pixels than are allowed.", { cause });
}

function noSuchPage(): TerminalError {
  return new TerminalError("NO_SUCH_PART", "The image has no such page.");
}

const assumedDpi = 200;
const longestInches = 22;
const shortestInches = 1.5;

function plausibleDpi(density: number | undefined, width: number, height: number): number {
  // 72 is what programs write that do not know.
  if (density === undefined || density === 72 || density < 60 || density > 2400) return assumedDpi;
  const longest = Math.max(width, height) / density;
  return longest >= shortestInches && longest <= longestInches ? density : assumedDpi;
}
