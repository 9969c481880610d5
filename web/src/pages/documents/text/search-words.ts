/** Which words a search means. Endings are left aside, about as the server's full text search does. */

const quiet = new Set(
  "a an and are as at be by for from has in is it its of on or that the this to was with".split(" "),
);

/** The words in a text, with where they stand. */
export function readWords(text: string): { word: string; start: number; end: number }[] {
  return Array.from(text.matchAll(/[\p{L}\p{N}\p{M}]+/gu), ({ 0: word, index }) => ({
    word: plain(word),
    start: index,
    end: index + word.length,
  }));
}

/** In small letters and without accents. */
function plain(word: string): string {
  return word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

function stem(word: string): string {
  return word.replace(/(?<=.{3})(?:ations?|ings?|ers?|ed|es|ly|s|e)$/, "");
}

/** Tells of a word whether it is one of those searched for. */
export function wordMatcher(query: string): (word: string) => boolean {
  // A word behind a minus is one that must not be there.
  const asked = readWords(query.replace(/(?:^|\s)-\S+/g, " ")).map(({ word }) => word);
  const telling = asked.filter((word) => !quiet.has(word));
  const stems = new Set((telling.length > 0 ? telling : asked).map(stem));
  return (word) => stems.size > 0 && stems.has(stem(plain(word)));
}
