/** The package file of a book: what it is called, and its files in reading order. EPUB 2 and 3. */
import { TerminalError } from "../../errors.ts";
import { corruptFile } from "./flow-document.ts";
import { attributeOf, childrenOf, firstChild, parseXml, textOf, type XmlElement } from "./parse-xml.ts";
import type { ZipArchive } from "./zip-archive.ts";

export interface ManifestItem {
  /** Its name in the archive. */
  path: string;
  mediaType: string;
  properties: string;
}

export interface EpubPackage {
  title?: string;
  author?: string;
  language?: string;
  /** The files that are read one after another; what is out of line (answers, pop-up notes) comes last. */
  spine: ManifestItem[];
  /** The EPUB 3 table of contents, and the older one. */
  nav?: ManifestItem;
  ncx?: ManifestItem;
}

const readable = /xhtml|html|svg|xml/i;
/** Scrambles fonts only: the text of such a book is open. */
const fontScrambling = /idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC/;

export async function readEpubPackage(archive: ZipArchive): Promise<EpubPackage> {
  const path = await findPackage(archive);
  await refuseEncrypted(archive);
  const root = parseXml(await archive.read(path), path);
  const document = firstChild(root, "package");
  if (!document) throw corruptFile("The package file of the book is none.");
  const items = readManifest(archive, document, path);
  const spine = readSpine(document, items, archive);
  if (spine.length === 0) throw corruptFile("The book names no files to read.");
  const metadata = firstChild(document, "metadata");
  // Books of the first years have their Dublin Core one level deeper.
  const core = firstChild(metadata, "dc-metadata") ?? metadata;
  return {
    title: textsOf(core, "title")[0],
    author: textsOf(core, "creator").join(", ") || undefined,
    language: textsOf(core, "language")[0],
    spine,
    nav: [...items.values()].find((item) => /(?:^|\s)nav(?:\s|$)/.test(item.properties)),
    ncx:
      items.get(attributeOf(firstChild(document, "spine"), "toc") ?? "") ??
      [...items.values()].find((item) => item.mediaType.includes("dtbncx")),
  };
}

/** The name in the archive that a reference in `from` means; undefined where it leads out of it. */
export function resolvePath(from: string, href: string): string | undefined {
  const [path = ""] = href.split("#");
  if (/^[a-z][\w+.-]*:/i.test(path)) return undefined;
  if (path === "") return from;
  const steps = path.startsWith("/") ? [] : from.split("/").slice(0, -1);
  for (const step of decodePercent(path).split("/")) {
    if (step === "..") steps.pop();
    else if (step !== "." && step !== "") steps.push(step);
  }
  return steps.join("/");
}

export function decodePercent(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

async function findPackage(archive: ZipArchive): Promise<string> {
  const container = "META-INF/container.xml";
  if (archive.entries.has(container)) {
    const rootfiles = firstChild(parseXml(await archive.read(container), container), "container", "rootfiles");
    for (const rootfile of childrenOf(rootfiles, "rootfile")) {
      const path = resolvePath("", attributeOf(rootfile, "full-path") ?? "");
      if (path && archive.entries.has(path)) return path;
    }
  }
  const only = [...archive.entries.keys()].find((name) => name.toLowerCase().endsWith(".opf"));
  if (!only) throw corruptFile("There is no package file in it: this is no EPUB.");
  return only;
}

async function refuseEncrypted(archive: ZipArchive): Promise<void> {
  const name = "META-INF/encryption.xml";
  if (!archive.entries.has(name)) return;
  const list = firstChild(parseXml(await archive.read(name), name), "encryption");
  const content = childrenOf(list, "EncryptedData").filter((data) => {
    const method = attributeOf(firstChild(data, "EncryptionMethod"), "Algorithm") ?? "";
    const file = attributeOf(firstChild(data, "CipherData", "CipherReference"), "URI") ?? "";
    return !fontScrambling.test(method) && !/\.(?:otf|ttf|ttc|woff2?)$/i.test(file);
  });
  if (content.length > 0) {
    throw new TerminalError("ENCRYPTED_FILE", "The book is protected: its text is encrypted.", {
      details: { encryptedFiles: content.length },
    });
  }
}

function readManifest(archive: ZipArchive, document: XmlElement, packagePath: string): Map<string, ManifestItem> {
  const items = new Map<string, ManifestItem>();
  const names = new Map(Array.from(archive.entries.keys(), (name) => [looseName(name), name]));
  for (const item of childrenOf(firstChild(document, "manifest"), "item")) {
    const id = attributeOf(item, "id");
    const href = attributeOf(item, "href");
    const path = href && resolvePath(packagePath, href);
    if (!id || !path) continue;
    // Some names are percent-encoded in the archive itself, some differ in case or in how accents are written.
    const literal = resolvePath(packagePath, href.replaceAll("%", "%25")) ?? path;
    const found = [path, literal].find((name) => archive.entries.has(name)) ?? names.get(looseName(path)) ?? path;
    items.set(id, {
      path: found,
      mediaType: attributeOf(item, "media-type") ?? "",
      properties: attributeOf(item, "properties") ?? "",
    });
  }
  return items;
}

function looseName(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

function readSpine(document: XmlElement, items: Map<string, ManifestItem>, archive: ZipArchive): ManifestItem[] {
  const inLine: ManifestItem[] = [];
  const outOfLine: ManifestItem[] = [];
  // A file may have many names in the manifest; it is read once all the same.
  const seen = new Set<string>();
  for (const reference of childrenOf(firstChild(document, "spine"), "itemref")) {
    const item = items.get(attributeOf(reference, "idref") ?? "");
    if (!item || seen.has(item.path) || !archive.entries.has(item.path) || !readable.test(item.mediaType)) continue;
    seen.add(item.path);
    (attributeOf(reference, "linear") === "no" ? outOfLine : inLine).push(item);
  }
  return [...inLine, ...outOfLine];
}

function textsOf(metadata: XmlElement | undefined, name: string): string[] {
  return childrenOf(metadata, name).map(textOf).filter(Boolean);
}
