/**
 * Lines of an iCalendar file as RFC 5545 wants them: text escaped, ended by CRLF, folded where they are longer than 75
 * octets, and never inside a character.
 */

/** A property (with its parameters) and its value: as it is, or a text that is to be escaped. */
export type ContentLine = readonly [property: string, value: string | { text: string }];

const maxOctets = 75;

export function writeContentLines(lines: readonly ContentLine[]): string {
  return lines
    .map(([property, value]) => {
      const written = typeof value === "string" ? value : escapeText(value.text);
      return `${fold(`${property}:${written}`)}\r\n`;
    })
    .join("");
}

/** Control characters have no place in a text, and no way to be escaped. */
function escapeText(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(/\r\n?/g, "\n")
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is to go.
      .replace(/[\0-\x08\x0b-\x1f\x7f]/g, "")
      .replace(/[\\;,]/g, "\\$&")
      .replaceAll("\n", "\\n")
  );
}

function fold(line: string): string {
  if (Buffer.byteLength(line) <= maxOctets) return line;
  let folded = "";
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > maxOctets) {
      folded += "\r\n ";
      octets = 1;
    }
    folded += character;
    octets += size;
  }
  return folded;
}
