/**
 * Cuts a text to what a model takes. Counted with the encoding of OpenAI's embedding models; other models count a little
 * differently, so their limit should be set with some room.
 */

export async function cutToTokens(text: string, limit: number): Promise<string> {
  // A token is at least one byte. Passages of the usual size end here, and the tables are never loaded.
  if (Buffer.byteLength(text) <= limit) return text;
  const { isWithinTokenLimit } = await import("gpt-tokenizer/encoding/cl100k_base");
  // A document may hold what looks like a control token of the model: it is text like any other.
  const fits = (part: string) => isWithinTokenLimit(part, limit, { disallowedSpecial: new Set() }) !== false;
  if (fits(text)) return text;
  // By halves and not by decoding the first tokens: the decoder breaks characters of several tokens.
  let [fitting, tooLong] = [0, text.length];
  while (tooLong - fitting > 1) {
    const middle = Math.floor((fitting + tooLong) / 2);
    if (fits(text.slice(0, middle))) fitting = middle;
    else tooLong = middle;
  }
  const cut = text.slice(0, fitting);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}
