/** Lines of OCR text without what no printer set: control characters, ligatures, specks read as signs, runs of blanks. */

const specks = "|¦~^`´¬§°•·*_=«»<>{}[]\\";
const escapedSpecks = specks.replace(/[\\\]^-]/g, "\\$&");
/** Specks stand apart at the ends of lines; a bullet before text is one of a list and stays. */
const leadingSpecks = new RegExp(
  `^(?:[${escapedSpecks.replace("•", "").replace("·", "")}.,'’:;-]{1,3} +)+(?=\\p{Lu}|\\p{N})`,
  "u",
);
const trailingSpecks = new RegExp(`(?: +[${escapedSpecks},'’;-]{1,3})+$`, "u");
const listDash = /^[-*–] +\S/;
const invisible = /(?!\t)[\p{Cc}\p{Cf}]/gu;
const ligatures: Record<string, string> = { ﬀ: "ff", ﬁ: "fi", ﬂ: "fl", ﬃ: "ffi", ﬄ: "ffl", ﬅ: "st", ﬆ: "st" };

/** Longer ones are no lines of a page, and looking for specks in them could take seconds. */
const mostInLine = 600;

/** One entry for each line of the text, so that indexes are those of the text. */
export function cleanLines(text: string): string[] {
  return splitLines(text).map(cleanLine);
}

export function splitLines(text: string): string[] {
  return text.split(/\r\n|[\n\r\f]/);
}

function cleanLine(line: string): string {
  const plain = line
    .replace(invisible, "")
    .replace(/[ﬀ-ﬆ]/g, (sign) => ligatures[sign] ?? sign)
    .replace(/[\s\u00a0]+/gu, " ")
    .trim();
  if (!/[\p{L}\p{N}]/u.test(plain)) return "";
  if (plain.length > mostInLine) return plain;
  const bare = plain.replace(trailingSpecks, "");
  return listDash.test(bare) ? bare : bare.replace(leadingSpecks, "");
}
