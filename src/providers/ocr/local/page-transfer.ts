/** Which buffers of a page move to a thread instead of being copied: grey values, when the array has its buffer to itself. */
import type { PageImage } from "../ocr-engine.ts";

export function pageTransfer({ format, data }: PageImage): ArrayBuffer[] {
  return format === "grey" && data.byteLength === data.buffer.byteLength ? [data.buffer] : [];
}
