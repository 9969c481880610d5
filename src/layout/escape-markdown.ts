/** Escapes what markdown would take for a sign, and only where it would: dots, hyphens and lone stars stay as they are. */

const anySpecial = /[\\`*_[\]<&~|]/;
const wordSign = /[\p{L}\p{N}]/u;

/** For text inside a line. */
export function escapeInline(text: string): string {
  if (!anySpecial.test(text)) return text;
  let out = "";
  for (let i = 0; i < text.length; i++) {
    const sign = text[i] ?? "";
    out += needsEscape(text, i, sign) ? `\\${sign}` : sign;
  }
  return out;
}

function needsEscape(text: string, at: number, sign: string): boolean {
  const before = text[at - 1] ?? " ";
  const after = text[at + 1] ?? " ";
  switch (sign) {
    case "`":
      return true;
    case "*":
      return before !== " " || after !== " ";
    case "_":
      // Inside a word it is no sign of emphasis.
      return (before !== " " || after !== " ") && !(wordSign.test(before) && wordSign.test(after));
    case "\\":
      return /[!-/:-@[-`{-~]/.test(after);
    case "~":
      return after === "~" || before === "~";
    case "<":
      return /[A-Za-z/!?]/.test(after);
    case "&":
      return /^&(#\w+|\w+);/.test(text.slice(at, at + 40));
    case "[":
      return /^\[[^\]]*\](\(|\[|:)/.test(text.slice(at, at + 200));
    default:
      return false;
  }
}

/** For the beginning of a paragraph: a number with a dot, a hash or a dash there would begin something else. */
export function escapeStart(text: string): string {
  if (/^(#{1,6}|[-+*])( |$)/.test(text) || /^(>|~~~|={2,}$|-{2,}$)/.test(text)) return `\\${text}`;
  return text.replace(/^(\d{1,9})([.)])( |$)/, "$1\\$2$3");
}

/** For a cell of a table, besides the escapes inside a line. */
export function escapeCell(text: string): string {
  return text.includes("|") ? text.replace(/\|/g, "\\|") : text;
}
