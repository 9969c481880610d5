/** How a font looks, from its name and flags. The stem width in a file, from which PDFium takes a weight, is mostly wrong. */

export interface FontStyle {
  bold: boolean;
  italic: boolean;
  mono: boolean;
}

const boldNames =
  /bold|black|heavy|semibold|demi(?!an)|[-,.]b(?:i|old)?$|^cm(?:bx|ssbx|b1)|^sfbx|^lmroman\d+-demi|-medi(?:ital)?$/i;
const italicNames =
  /italic|(?:regu|medi|-)ital$|oblique|slanted|kursiv|[-,.](?:b?i|it)$|^cm(?:ti|sl|mi|bxti|itt)|^sf(?:ti|sl)/i;
const monoNames =
  /courier|mono(?!type|tone|line)|consol|typewriter|menlo|monaco|inconsolata|fixed|code(?:pro|new)|^cm(?:tt|sltt|itt)|^sf(?:tt|st)|^lmtt|txtt|nimbusmon|andale|lucida ?console/i;

// Bits of a font descriptor's /Flags.
const fixedPitch = 1;
const italicFlag = 1 << 6;
const forceBold = 1 << 18;

export function readFontStyle(name: string, flags: number): FontStyle {
  // A subset's name starts with six letters of no meaning.
  const face = name.replace(/^[A-Z]{6}\+/, "");
  return {
    bold: boldNames.test(face) || (flags & forceBold) !== 0,
    italic: italicNames.test(face) || (flags & italicFlag) !== 0,
    mono: monoNames.test(face) || (flags & fixedPitch) !== 0,
  };
}
