/** The formats of documents in the words people know them by. */

const labels: Record<string, string> = {
  pdf: "PDF",
  epub: "EPUB",
  docx: "Word",
  html: "HTML",
  markdown: "Markdown",
  text: "Plain text",
  png: "PNG",
  jpeg: "JPEG",
  tiff: "TIFF",
  webp: "WebP",
};

export const formatOptions = Object.entries(labels).map(([value, label]) => ({ value, label }));

/** Null until a url has been fetched. */
export function formatLabel(format: string | null): string {
  return format === null ? "Not fetched yet" : (labels[format] ?? format.toUpperCase());
}
