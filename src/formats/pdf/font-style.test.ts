import { expect, test } from "vitest";
import { readFontStyle } from "./font-style.ts";

test.for([
  ["Helvetica", ""],
  ["ABCDEF+TimesNewRomanPSMT", ""],
  ["ABCDEF+TimesNewRomanPS-BoldItalicMT", "bold italic"],
  ["Arial,Bold", "bold"],
  ["Arial-Black", "bold"],
  ["Calibri-BoldItalic", "bold italic"],
  ["OpenSans-SemiBold", "bold"],
  ["NimbusRomNo9L-Medi", "bold"],
  ["NimbusRomNo9L-ReguItal", "italic"],
  ["ABCDEF+CMR10", ""],
  ["ABCDEF+CMBX12", "bold"],
  ["ABCDEF+CMTI10", "italic"],
  ["ABCDEF+CMTT10", "mono"],
  ["Courier-Oblique", "italic mono"],
  ["DejaVuSansMono-Bold", "bold mono"],
  ["MonotypeCorsiva", ""],
  ["Futura-Medium", ""],
  ["AdvOT3bf1a849.B", "bold"],
] as const)("%s is %j", ([name, expected]) => {
  const { bold, italic, mono } = readFontStyle(name, 0);
  expect([bold && "bold", italic && "italic", mono && "mono"].filter(Boolean).join(" ")).toBe(expected);
});

test("flags tell where the name does not", () => {
  expect(readFontStyle("F1", 1)).toEqual({ bold: false, italic: false, mono: true });
  expect(readFontStyle("F1", 1 << 6)).toEqual({ bold: false, italic: true, mono: false });
  expect(readFontStyle("F1", 1 << 18)).toEqual({ bold: true, italic: false, mono: false });
});
