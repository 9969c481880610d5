/**
 * Makes one line of markdown of the lines of a block: words in the order of reading, hyphens at line ends resolved, no
 * spaces between ideographs, and emphasis where some of the words differ from the rest.
 */
import { escapeInline } from "./escape-markdown.ts";
import { joinHyphen } from "./join-hyphens.ts";
import type { KnownWords } from "./known-words.ts";
import { orderWords } from "./order-words.ts";
import type { PlacedWord } from "./placed-word.ts";

interface Token {
  text: string;
  /** Whether a space stands before it. */
  spaced: boolean;
  style: Style;
}

type Style = "plain" | "bold" | "italic" | "both" | "code";

interface InlineOptions {
  /** Without, everything is plain: headings, cells. */
  emphasis: boolean;
  known?: KnownWords;
  /** Takes the words whose hyphen at the end of a line was left out. */
  joined?: string[];
}

const ideographic = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef\u2e80-\u2fdf]/u;
const tightSign = /^[,.;:!?)\]}%’”»]+$/;

export function writeInline(lines: readonly (readonly PlacedWord[])[], options: InlineOptions): string {
  const tokens: Token[] = [];
  const words = lines.flat();
  const styleOf = options.emphasis ? stylesWithin(words) : () => "plain" as const;
  let before: PlacedWord | undefined;
  for (const line of lines) {
    const ordered = orderWords(line);
    for (let i = 0; i < ordered.length; i++) {
      const word = ordered[i];
      const last = tokens.at(-1);
      if (word === undefined) continue;
      if (i === 0 && last !== undefined) {
        // Names in code are not hyphenated: a hyphen at the end of a line is theirs.
        const isName = word.mono && before?.mono === true && /\w-$/.test(last.text);
        const joined = isName ? last.text + word.text : joinHyphen(last.text, word.text, options.known);
        if (joined !== undefined) {
          if (joined.length < last.text.length + word.text.length)
            options.joined?.push(partedWord(last.text, word.text));
          last.text = joined;
          continue;
        }
      }
      tokens.push({ text: word.text, spaced: isSpaced(last, ordered[i - 1], word), style: styleOf(word) });
    }
    before = ordered.at(-1);
  }
  return writeTokens(tokens);
}

/** Without what stands around it. */
function partedWord(before: string, after: string): string {
  return (/\p{L}+[-\u2010\u00ad]$/u.exec(before)?.[0] ?? before) + (/^\p{L}+/u.exec(after)?.[0] ?? after);
}

function isSpaced(last: Token | undefined, before: PlacedWord | undefined, word: PlacedWord): boolean {
  if (last === undefined) return false;
  if (ideographic.test(last.text.at(-1) ?? "") && ideographic.test(word.text[0] ?? "")) {
    // A wide gap between ideographs was meant as one.
    return before !== undefined && word.x1 - before.x2 > word.size * 0.8;
  }
  if (before === undefined) return true;
  const touches = Math.abs(word.x1 - before.x2) < word.size * 0.09;
  return !(touches && tightSign.test(word.text));
}

/** What all words have is the face of the block, not emphasis. */
function stylesWithin(words: readonly PlacedWord[]): (word: PlacedWord) => Style {
  const bold = words.some((word) => word.bold) && !words.every((word) => word.bold);
  const italic = words.some((word) => word.italic) && !words.every((word) => word.italic);
  const code = words.some((word) => word.mono) && !words.every((word) => word.mono);
  if (!bold && !italic && !code) return () => "plain";
  return (word) => {
    if (code && word.mono) return "code";
    if (bold && word.bold) return italic && word.italic ? "both" : "bold";
    return italic && word.italic ? "italic" : "plain";
  };
}

const signs: Record<Style, string> = { plain: "", bold: "**", italic: "*", both: "***", code: "`" };

function writeTokens(tokens: readonly Token[]): string {
  let out = "";
  for (let i = 0; i < tokens.length; ) {
    const first = tokens[i];
    if (first === undefined) break;
    let end = i + 1;
    let text = first.text;
    for (; end < tokens.length && tokens[end]?.style === first.style; end++) {
      const token = tokens[end];
      if (token !== undefined) text += (token.spaced ? " " : "") + token.text;
    }
    const next = tokens[end];
    out += first.spaced ? " " : "";
    out += writeRun(
      text,
      first.style,
      out.at(-1) ?? " ",
      next === undefined || next.spaced ? " " : (next.text[0] ?? " "),
    );
    i = end;
  }
  return out;
}

function writeRun(text: string, style: Style, before: string, after: string): string {
  if (style === "plain" || !isEmphasis(text, style) || !mayStand(text, before, after)) return escapeInline(text);
  // What ends a clause is set in the face of the word before it, but is no part of it.
  const end = /[\p{L}\p{N})\]"'’”][,.;]$/u.test(text) ? text.slice(-1) : "";
  const inner = end === "" ? text : text.slice(0, -1);
  if (style === "code") return text.includes("`") ? escapeInline(text) : `\`${inner}\`${end}`;
  return signs[style] + escapeInline(inner) + signs[style] + end;
}

/** Variables of formulas are set in italics, and lone signs in any face: that is no emphasis. */
function isEmphasis(text: string, style: Style): boolean {
  if (style === "code") return /[\p{L}\p{N}]/u.test(text);
  return style === "bold" ? /\p{L}{2}|\p{N}{2}/u.test(text) : /\p{L}{3}/u.test(text);
}

/** Markdown takes the signs for emphasis only next to spaces and punctuation, in these combinations. */
function mayStand(text: string, before: string, after: string): boolean {
  const opens = /[\s([{"'“‘«*]/.test(before);
  const closes = /[\s.,;:!?)\]}"'”’»*]/.test(after);
  return opens && closes && !/^[*_\s]|[*_\s\\]$/.test(text);
}
