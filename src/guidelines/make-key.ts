/** Makes the key of a title: small letters, digits and hyphens, at most 60 characters, unlike every key that is taken. */

const mostCharacters = 60;
const letters: Record<string, string> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i" };

export function makeKey(title: string, taken: ReadonlySet<string>): string {
  const base = cutAtHyphen(toKebab(title), mostCharacters) || "untitled";
  if (!taken.has(base)) return base;
  for (let count = 2; ; count++) {
    const suffix = `-${count}`;
    const key = cutAtHyphen(base, mostCharacters - suffix.length) + suffix;
    if (!taken.has(key)) return key;
  }
}

function toKebab(title: string): string {
  return title
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, (letter) => letters[letter] ?? letter)
    .replace(/['’]/g, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
}

/** Between words where there is one to cut at. */
function cutAtHyphen(key: string, most: number): string {
  if (key.length <= most) return key;
  const cut = key.slice(0, most + 1);
  const at = cut.lastIndexOf("-");
  return (at > most / 2 ? cut.slice(0, at) : cut.slice(0, most)).replace(/-+$/, "");
}
