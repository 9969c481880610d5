/** What a document says must not steer the terminal. */
export function harmless(text: string): string {
  return text.replace(/\p{Cc}/gu, " ");
}
