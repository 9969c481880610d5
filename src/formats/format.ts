/** The kinds of files that are read, and the media type by which each is known outside. */
export const mediaTypes = {
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
} as const;

export type Format = keyof typeof mediaTypes;

/** Formats with pages have boxes; the others flow, and are read in sections. */
export function isPaged(format: Format): boolean {
  return !["epub", "docx", "html", "markdown", "text"].includes(format);
}
