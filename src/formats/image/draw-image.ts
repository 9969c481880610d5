/** Pages of image files as pixels for OCR, and as PNG for people. */
import sharp from "sharp";
import type { RenderedPage } from "../document-reader.ts";
import { explainImageErrors, type ImageLimits, measureImage, openImage } from "./measure-image.ts";

interface DrawOptions {
  dpi: number;
  /** A larger page is drawn at a lower resolution. */
  maxPixels: number;
}

export async function drawImageGrey(
  path: string,
  page: number,
  limits: ImageLimits,
  options: DrawOptions,
): Promise<RenderedPage> {
  const { image, dpi } = await draw(path, page, limits, options);
  return await explainImageErrors(async () => {
    const { data, info } = await image.toColourspace("b-w").raw().toBuffer({ resolveWithObject: true });
    return { data: new Uint8Array(data), width: info.width, height: info.height, dpi };
  });
}

export async function drawImagePng(
  path: string,
  page: number,
  limits: ImageLimits,
  options: DrawOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const { image } = await draw(path, page, limits, options);
  return await explainImageErrors(async () => new Uint8Array(await image.png().toBuffer()));
}

/** RGBA values as PNG. */
export async function encodePng(pixels: { data: Uint8Array; width: number; height: number }) {
  const { data, width, height } = pixels;
  const image = sharp(data, { raw: { width, height, channels: 4 } }).removeAlpha();
  return new Uint8Array(await image.png().toBuffer());
}

/** Upright, on white, and never enlarged. */
async function draw(path: string, page: number, limits: ImageLimits, options: DrawOptions) {
  const { width, height, dpi: native } = await measureImage(path, page, limits);
  const inches = { width: width / 72, height: height / 72 };
  const dpi = Math.min(options.dpi, native, Math.sqrt(options.maxPixels / (inches.width * inches.height)));
  let image = openImage(path, page, limits).autoOrient().flatten({ background: "white" });
  if (dpi < native) {
    const target = {
      width: Math.max(1, Math.round(inches.width * dpi)),
      height: Math.max(1, Math.round(inches.height * dpi)),
    };
    image = image.resize({ ...target, fit: "fill" });
  }
  return { image, dpi };
}
