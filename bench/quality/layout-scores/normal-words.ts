/** Words as the scores compare them: without case, markdown signs and punctuation, ligatures and accents folded. */
export function normalWords(text: string): string[] {
  const folded = text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
  return folded.match(/[\p{L}\p{N}]+/gu) ?? [];
}

export function normalText(text: string): string {
  return normalWords(text).join(" ");
}
