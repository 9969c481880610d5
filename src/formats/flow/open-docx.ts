/**
 * A Word document: mammoth makes HTML of it by its styles, and the rest is as for HTML. Mammoth sees an archive with only
 * the parts it reads, each unpacked here under the limits.
 */
import { open } from "node:fs/promises";
import { zipSync } from "fflate";
import mammoth from "mammoth";
import { TerminalError } from "../../errors.ts";
import { corruptFile, type FlowDocument } from "./flow-document.ts";
import type { FlowLimits } from "./flow-limits.ts";
import { attribute, type HtmlParent, parseHtml, replaceElements } from "./html-tree.ts";
import { measureDepth } from "./measure-depth.ts";
import { openTree } from "./open-tree.ts";
import { firstChild, parseXml, textOf } from "./parse-xml.ts";
import { readWhole } from "./read-whole.ts";
import { findBody } from "./split-html.ts";
import { openZip, type ZipArchive } from "./zip-archive.ts";

/** Deeper than any writer of Word files nests; mammoth walks by recursion. */
const maxDepth = 500;
const styles = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => p:fresh",
  "p[style-name='Quote'] => blockquote > p:fresh",
  "p[style-name='Intense Quote'] => blockquote > p:fresh",
  "p[style-name='Code'] => pre:separator('\n')",
  "p[style-name='HTML Preformatted'] => pre:separator('\n')",
];

export async function openDocx(path: string, limits: FlowLimits): Promise<FlowDocument> {
  if (await isProtected(path, limits)) {
    throw new TerminalError("ENCRYPTED_FILE", "The document is protected by a password.");
  }
  const archive = await openZip(path, limits);
  if (!archive.entries.has("[Content_Types].xml")) {
    throw corruptFile("There is no list of content types in it: this is no Word document.");
  }
  const body = findBody(parseHtml(await convert(await repack(archive)), "html"));
  markWordNotes(body);
  return openTree(body, await readCore(archive), limits);
}

/** With a password the whole archive is a stream in an older kind of container, which names it in UTF-16. */
async function isProtected(path: string, limits: FlowLimits): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(8), 0, 8, 0);
    if (buffer.toString("hex") !== "d0cf11e0a1b11ae1") return false;
  } finally {
    await file.close();
  }
  return Buffer.from(await readWhole(path, limits)).includes(Buffer.from("EncryptedPackage", "utf16le"));
}

async function convert(buffer: Buffer): Promise<string> {
  try {
    const convertImage = mammoth.images.imgElement(async () => ({ src: "" }));
    const { value } = await mammoth.convertToHtml(
      { buffer },
      { styleMap: styles, convertImage, externalFileAccess: false },
    );
    return value;
  } catch (error) {
    // Mammoth believes what it reads, and stumbles over what is not there.
    throw corruptFile("The Word document cannot be understood; it is damaged.", error);
  }
}

async function repack(archive: ZipArchive): Promise<Buffer> {
  const parts: Record<string, Uint8Array> = {};
  const names = [...archive.entries.keys()].filter((name) => /\.(?:xml|rels)$/i.test(name));
  archive.requireReadable(names);
  for (const name of names) {
    const bytes = await archive.read(name);
    const markup = Buffer.from(bytes).toString("latin1");
    if (/<!DOCTYPE/i.test(markup)) {
      throw new TerminalError("SUSPICIOUS_ARCHIVE", `${JSON.stringify(name)} declares a document type.`);
    }
    if (measureDepth(markup) > maxDepth) throw corruptFile(`${JSON.stringify(name)} is nested too deep.`);
    parts[name] = bytes;
  }
  return Buffer.from(zipSync(parts, { level: 0 }));
}

/** Mammoth tells notes and references by their ids alone. */
function markWordNotes(body: HtmlParent): void {
  replaceElements(body, (part) => {
    const id = attribute(part, "id") ?? "";
    if (part.tagName === "li" && /^(?:foot|end)note-\d+$/.test(id)) part.properties.role = "doc-footnote";
    if (part.tagName === "a" && /^(?:foot|end)note-ref-\d+$/.test(id)) part.properties.role = "doc-noteref";
    return undefined;
  });
}

async function readCore(archive: ZipArchive) {
  const name = "docProps/core.xml";
  if (!archive.entries.has(name)) return {};
  const core = firstChild(parseXml(await archive.read(name), name), "coreProperties");
  return {
    title: textOf(firstChild(core, "title")) || undefined,
    author: textOf(firstChild(core, "creator")) || undefined,
    language: textOf(firstChild(core, "language")) || undefined,
  };
}
