/** Many formats are zip archives: the names inside tell which. */

export type ZipKind = "epub" | "docx" | { looksLike: string };

const localHeader = Buffer.from("PK\x03\x04", "latin1");
const headerBytes = 30;
const mostEntries = 500;

/** Judges by the entries in the first bytes of an archive; undefined when they do not tell. */
export function readZipHead(head: Buffer): ZipKind | undefined {
  const names: string[] = [];
  for (let at = 0; at >= 0 && at + headerBytes <= head.length && names.length < mostEntries; ) {
    const nameEnd = at + headerBytes + head.readUInt16LE(at + 26);
    const name = head.toString("utf8", at + headerBytes, nameEnd);
    const start = nameEnd + head.readUInt16LE(at + 28);
    if (names.length === 0 && name === "mimetype") {
      const kind = judgeMimetype(head.toString("latin1", start, start + 100));
      if (kind) return kind;
    }
    names.push(name);
    // Archives written as a stream tell the size behind the data: the next header has to be looked for.
    const packedBytes = head.readUInt16LE(at + 6) & 8 ? 0 : head.readUInt32LE(at + 18);
    at = head.indexOf(localHeader, start + packedBytes);
  }
  return judgeZipNames(names);
}

export function judgeZipNames(names: readonly string[]): ZipKind | undefined {
  const has = (pattern: RegExp) => names.some((name) => pattern.test(name));
  if (has(/^META-INF\/container\.xml$/i)) return "epub";
  if (has(/^word\/document\d*\.xml$/) || (has(/^word\//) && has(/^\[Content_Types\]\.xml$/))) return "docx";
  if (has(/^xl\//)) return { looksLike: "an Excel workbook" };
  if (has(/^ppt\//)) return { looksLike: "a PowerPoint presentation" };
  if (has(/^META-INF\/MANIFEST\.MF$/)) return { looksLike: "a Java archive" };
  return undefined;
}

function judgeMimetype(text: string): ZipKind | undefined {
  if (text.startsWith("application/epub+zip")) return "epub";
  const office = /^application\/vnd\.oasis\.opendocument\.(text|spreadsheet|presentation|graphics)/.exec(text)?.[1];
  return office ? { looksLike: `an OpenDocument ${office} file` } : undefined;
}
