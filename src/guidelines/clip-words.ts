/** Cuts a text after so many words; what was cut off is told by an ellipsis on the last word. */

export function countWords(text: string): number {
  return text.split(/\s+/).filter(Boolean).length;
}

export function clipWords(text: string, most: number): string {
  const words = text.split(/\s+/).filter(Boolean);
  if (words.length <= most) return words.join(" ");
  return `${words
    .slice(0, most)
    .join(" ")
    .replace(/[\s,;:.–—-]+$/, "")}…`;
}
