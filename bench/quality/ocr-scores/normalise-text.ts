/**
 * Makes two texts of a page comparable: what a reader would not call a mistake (line ends, hyphenation at them, curly or
 * straight quotes, kinds of dashes, ligatures) is made equal. Bullets are left out: a text layer seldom has them, a page
 * shows them.
 */
export function normaliseText(text: string): string {
  return text
    .replace(/(\p{L})[-‐\u00ad]\s+(\p{Ll})/gu, "$1$2")
    .normalize("NFKC")
    .replace(/[‘’‚‛′`´]/gu, "'")
    .replace(/[“”„‟″«»]|''/gu, '"')
    .replace(/[‐‑‒–—―−]+/gu, "-")
    .replace(/[•●▪■□◦○·∙*]/gu, " ")
    .replace(/\s+/gu, " ")
    .trim();
}
