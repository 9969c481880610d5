/** Reads words and headings from a document in pandoc's native form, as far as comparing them needs. */
const token = /\b(?:Str|Math|Code|CodeBlock|Header|Space|SoftBreak|LineBreak)\b|"(?:[^"\\]|\\.)*"|[[\]()]/g;

export function readPandoc(native: string): { text: string; headings: string[] } {
  const body = native.slice(native.indexOf("\n  ["));
  const words: string[] = [];
  const headings: string[] = [];
  /** Whether the next string is text, and not a name or a class. */
  let takesString = false;
  /** Code has its attributes in brackets before its text: text follows where they are closed again. */
  let attributesAt: number | undefined;
  let round = 0;
  let square = 0;
  /** The heading under way, and the depth of brackets it ends at. */
  let heading: { parts: string[]; depth: number } | undefined;
  for (const [sign] of body.matchAll(token)) {
    switch (sign) {
      case "[":
        square++;
        break;
      case "]":
        square--;
        // Lists of attributes come first and leave it empty.
        if (heading && square === heading.depth && heading.parts.length > 0) {
          headings.push(heading.parts.join(""));
          heading = undefined;
        }
        break;
      case "(":
        round++;
        break;
      case ")":
        round--;
        if (round === attributesAt) {
          attributesAt = undefined;
          takesString = true;
        }
        break;
      case "Header":
        heading = { parts: [], depth: square };
        break;
      case "Str":
      case "Math":
        takesString = true;
        break;
      case "Code":
      case "CodeBlock":
        attributesAt = round;
        break;
      case "Space":
      case "SoftBreak":
      case "LineBreak":
        heading?.parts.push(" ");
        break;
      default:
        if (!takesString) break;
        takesString = false;
        words.push(decodeString(sign));
        heading?.parts.push(decodeString(sign));
    }
  }
  return { text: words.join(" "), headings };
}

function decodeString(quoted: string): string {
  return quoted
    .slice(1, -1)
    .replace(/\\(\d+)/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/\\&/g, "")
    .replace(/\\(.)/g, "$1");
}
