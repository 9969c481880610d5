/** The image of a page as a grey PNG that stands as its camera held it: what remote services are sent. */
import sharp from "sharp";
import type { PageImage, RecognisedPage } from "./ocr-engine.ts";

export interface EncodedPage {
  png: Uint8Array<ArrayBuffer>;
  /** Pixels per inch of the PNG. */
  dpi: number;
  /** In points. */
  width: number;
  height: number;
  turned: RecognisedPage["turned"];
  blank: boolean;
}

/** By how much images of these EXIF orientations are turned; the others are upright or mirrored only. */
const turns: Record<number, RecognisedPage["turned"]> = { 3: 180, 4: 180, 5: 90, 6: 90, 7: 270, 8: 270 };
/** Grey values (of 255) that differ by less than this are one tone of paper. */
const leastContrast = 24;

export async function encodePage(image: PageImage, maxSide: number): Promise<EncodedPage> {
  const open = () =>
    image.format === "grey"
      ? sharp(image.data, { raw: { width: image.width, height: image.height, channels: 1 } })
      : sharp(image.data, { autoOrient: true }).flatten({ background: "white" });
  const [{ orientation }, { channels }] = await Promise.all([open().metadata(), open().greyscale().stats()]);
  const { data, info } = await open()
    .greyscale()
    .resize({ width: maxSide, height: maxSide, fit: "inside", withoutEnlargement: true })
    .png({ compressionLevel: 6 })
    .toBuffer({ resolveWithObject: true });
  const turned = turns[orientation ?? 1] ?? 0;
  const fullWidth = turned === 90 || turned === 270 ? image.height : image.width;
  const dpi = (image.dpi * info.width) / fullWidth;
  const tone = channels[0];
  return {
    png: new Uint8Array(data),
    dpi,
    width: (info.width * 72) / dpi,
    height: (info.height * 72) / dpi,
    turned,
    blank: tone !== undefined && tone.max - tone.min < leastContrast,
  };
}
