/** Texts, numbers and JSON values that programs stumble over. */
import type { Random } from "./random.ts";

const nothing = "00000000-0000-4000-8000-000000000000";

const oddTexts: readonly string[] = [
  "",
  " ",
  "\0",
  "a\0b",
  "\ud800",
  "a\udc00b",
  "\u202Egpj.exe",
  "e\u0301\u0327\u0308".repeat(40),
  "\u200B\u200D\uFEFF",
  "שלום عليكم",
  "👩‍👩‍👧‍👦",
  "\u2028\u2029",
  "\r\nX-Injected: 1\r\n",
  "../../../../etc/passwd",
  "..\\..\\windows",
  "%00",
  "%2e%2e%2f",
  "%25%32%65",
  "%ff%fe",
  "%",
  "%zz",
  "'; drop table jobs; --",
  '" or 1=1',
  "$1",
  "{{7*7}}",
  "<script>alert(1)</script>",
  "null",
  "undefined",
  "true",
  "NaN",
  "Infinity",
  "-Infinity",
  "-1",
  "0",
  "1",
  "1e309",
  "1e-400",
  "0x10",
  "9007199254740993",
  "-9223372036854775809",
  "99999999999999999999999999",
  "1.5",
  "١٢٣",
  "2026-02-30T00:00:00Z",
  "0000-00-00T00:00:00.000Z",
  "9999-12-31T23:59:59.999Z",
  "275760-09-13T00:00:00.001Z",
  nothing,
  nothing.toUpperCase().replaceAll("0", "F"),
  `{${nothing}}`,
  `${nothing} `,
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "[object Object]",
  "(".repeat(3_000),
  "a & | ! <-> b:*",
];

const longPieces = ["x", "€", "\u0301", "../", "%00", "\ud83d\ude00", "a ", "((", "\\"];

export function hostileText(random: Random): string {
  const kind = random.next();
  if (kind < 0.7) return random.pick(oddTexts);
  if (kind < 0.8) return random.pick(longPieces).repeat(random.pick([100, 256, 1_025, 9_000]));
  if (kind < 0.82) return random.pick(longPieces).repeat(100_000);
  return Array.from({ length: random.between(1, 12) }, () => String.fromCharCode(random.between(0, 0xffff))).join("");
}

/** For a header, which carries bytes: what would end the line is left to the raw requests. */
export function hostileHeader(random: Random): string {
  return hostileText(random)
    .slice(0, 3_000)
    .replaceAll(/[\r\n\0]/g, " ")
    .replaceAll(/[^\x20-\xff]/g, "\xfe");
}

const oddNumbers: readonly number[] = [
  0,
  -0,
  -1,
  0.5,
  1e-7,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  1e21,
  Number.MAX_VALUE,
  Number.MIN_VALUE,
  32_768,
];

/** Any JSON value of some depth. */
export function hostileValue(random: Random, depth = 0): unknown {
  switch (random.between(0, depth > 3 ? 4 : 7)) {
    case 0:
      return null;
    case 1:
      return random.chance(0.5);
    case 2:
      return random.pick(oddNumbers);
    case 3:
    case 4:
      return hostileText(random);
    case 5:
      return Array.from({ length: random.between(0, 4) }, () => hostileValue(random, depth + 1));
    default: {
      // Entries rather than a literal: `__proto__` has to be a name like any other.
      const entries = Array.from({ length: random.between(0, 4) }, () => [
        hostileText(random),
        hostileValue(random, depth + 1),
      ]);
      return Object.fromEntries(entries);
    }
  }
}

/** Looks like a cursor, and is none, or not one of this list. */
export function hostileCursor(random: Random, real: readonly string[]): string {
  const parts = Array.from({ length: random.between(0, 4) }, () => hostileValue(random, 3));
  const made = Buffer.from(JSON.stringify(parts)).toString("base64url");
  if (real.length === 0 || random.chance(0.5)) return made;
  const cursor = random.pick(real);
  const place = random.between(0, cursor.length);
  return random.pick([
    cursor,
    cursor.slice(0, place),
    cursor.slice(0, place) + random.pick(["A", "-", "_", "=", "%"]) + cursor.slice(place + 1),
    cursor + cursor,
  ]);
}
