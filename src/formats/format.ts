/** The kinds of files that are read, and the media type by which each is known outside. */
export const formats = ["pdf", "epub", "docx", "html", "markdown", "text", "png", "jpeg", "tiff", "webp"] as const;
export type Format = (typeof formats)[number];

export const mediaTypes: Record<Format, string> = {
  pdf: "application/pdf",
  epub: "application/epub+zip",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  html: "text/html",
  markdown: "text/markdown",
  text: "text/plain",
  png: "image/png",
  jpeg: "image/jpeg",
  tiff: "image/tiff",
  webp: "image/webp",
};

/** Formats with pages have boxes; the others flow, and are read in sections. */
export function isPaged(format: Format): boolean {
  return !["epub", "docx", "html", "markdown", "text"].includes(format);
}
