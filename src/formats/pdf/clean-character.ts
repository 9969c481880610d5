/** What a character of a PDF's text means: ligatures are taken apart, symbol fonts understood, debris dropped. */

/** How characters of Symbol and Wingdings come out, which have no meaning but in those fonts. */
const symbols = new Map([
  [0xf020, " "],
  [0xf02d, "-"],
  [0xf06c, "•"],
  [0xf06e, "■"],
  [0xf06f, "□"],
  [0xf071, "□"],
  [0xf075, "◆"],
  [0xf076, "❖"],
  [0xf09f, "•"],
  [0xf0a3, "□"],
  [0xf0a7, "▪"],
  [0xf0a8, "□"],
  [0xf0b7, "•"],
  [0xf0d8, "➢"],
  [0xf0e0, "→"],
  [0xf0e8, "➔"],
  [0xf0f0, "⇨"],
  [0xf0fb, "✗"],
  [0xf0fc, "✓"],
  [0xf0fd, "☒"],
  [0xf0fe, "☑"],
]);

/** PDFium's marks for a hyphen at the end of a line, and the soft hyphen, which a font draws as a hyphen. */
const hyphens = new Set([0x02, 0xad, 0xfffe, 0x2010, 0x2011]);

/** What is no text: the font has no meaning for the glyph. */
export function isDebris(code: number): boolean {
  if (code < 0x20) return code !== 0x02 && code !== 0x09 && code !== 0x0a && code !== 0x0d;
  if (code >= 0x7f && code < 0xa0) return true;
  if (code >= 0xe000 && code <= 0xf8ff) return !symbols.has(code);
  return code === 0xfffd || code === 0xffff || (code >= 0xd800 && code <= 0xdfff) || code >= 0xf0000;
}

/** Empty for what says nothing. */
export function cleanCharacter(code: number): string {
  if (code >= 0x20 && code < 0x7f) return String.fromCharCode(code);
  if (hyphens.has(code)) return "-";
  const symbol = symbols.get(code);
  if (symbol !== undefined) return symbol;
  if (isDebris(code) || isInvisible(code)) return "";
  const character = String.fromCodePoint(code);
  return isPresentationForm(code) ? character.normalize("NFKC") : character;
}

export function isSpace(code: number): boolean {
  return (
    code === 0x20 ||
    (code >= 0x09 && code <= 0x0d) ||
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000 ||
    code === 0xf020
  );
}

function isInvisible(code: number): boolean {
  return (
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x206f) ||
    code === 0xfeff
  );
}

/** Latin ligatures, Hebrew and Arabic letters by their shape. */
function isPresentationForm(code: number): boolean {
  return (code >= 0xfb00 && code <= 0xfdff) || (code >= 0xfe70 && code <= 0xfefc);
}
