/**
 * Reads a multipart upload as it comes in: every file goes straight into storage while it is hashed, nothing is kept in
 * memory, and if anything about the request is refused or the connection breaks, what was stored of it goes again.
 */
import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { Busboy, type BusboyConfig, type BusboyInstance } from "@fastify/busboy";
import { DocmillError } from "../../errors.ts";

interface UploadedFile<Stored> {
  filename: string;
  stored: Stored;
}

export interface Upload<Stored> {
  files: UploadedFile<Stored>[];
  /** Files beyond `maxFiles`, which were let go by; only where they are counted. */
  extraFiles: number;
  /** Other fields of the form; of those sent twice, the last. */
  fields: Map<string, string>;
}

export interface UploadOptions<Stored> {
  maxFiles: number;
  /** What to do with more files: refuse the request at once, or let them go by so that they can be counted. */
  beyond?: "refuse" | "count";
  /** What a file without a name is called. */
  nameless?: string;
  /** Takes one file; `place` counts from 0. Throws if it is refused. */
  store(source: AsyncIterable<Uint8Array>, filename: string, place: number, signal: AbortSignal): Promise<Stored>;
  /** Takes back what was stored of a request that is refused. */
  discard(stored: readonly Stored[]): Promise<void>;
}

const limits = { fieldSize: 64 * 1024, fields: 50, fieldNameSize: 100, headerPairs: 50 };
/** A client that is still sending when it is refused may go on for so long, so that it gets to read why. */
const drainMs = 10_000;
const longestName = 255;
/** Nobody needs to know how many more than this were sent. */
const mostCounted = 1_000;

export async function receiveUpload<Stored>(
  incoming: IncomingMessage,
  { maxFiles, beyond = "refuse", nameless = "document", store, discard }: UploadOptions<Stored>,
): Promise<Upload<Stored>> {
  const form = openForm(incoming, beyond === "refuse" ? maxFiles : Math.max(maxFiles, mostCounted));
  const abort = new AbortController();
  const arriving: Promise<UploadedFile<Stored>>[] = [];
  const parts: Readable[] = [];
  let extraFiles = 0;
  const fields = new Map<string, string>();
  const { promise: read, resolve, reject } = Promise.withResolvers<void>();

  form.on("file", (_field, part, name) => {
    parts.push(part);
    // Its reader has it too; without this listener a cut connection would end the process.
    part.on("error", reject);
    if (arriving.length === maxFiles) {
      extraFiles++;
      part.resume();
      return;
    }
    const filename = cleanName(name) || nameless;
    const stored = store(part, filename, arriving.length, abort.signal);
    const file = stored.then((value) => ({ filename, stored: value }));
    arriving.push(file);
    file.catch(reject);
  });
  form.on("field", (name, value, nameCut, valueCut) => {
    if (nameCut || valueCut) reject(invalidForm(`The field ${name.slice(0, 100)} is too long.`));
    else fields.set(name, value);
  });
  form.on("filesLimit", () => reject(tooManyFiles(maxFiles)));
  form.on("fieldsLimit", () => reject(invalidForm(`It has more than ${limits.fields} fields besides the files.`)));
  form.on("error", (error) => reject(invalidForm(error instanceof Error ? error.message : String(error))));
  form.on("finish", resolve);
  incoming.on("error", () => reject(brokenOff()));
  // Also where all of it has come: what was not read of it by now is gone.
  incoming.on("close", () => {
    if (!incoming.readableEnded) reject(brokenOff());
  });
  // The client may have left while somebody looked whether it may upload at all: then no event is left to tell of it.
  if (incoming.destroyed) reject(brokenOff());
  incoming.pipe(form);

  try {
    await read;
    return { files: await Promise.all(arriving), extraFiles, fields };
  } catch (error) {
    incoming.unpipe(form);
    abort.abort(error);
    // Nothing more comes through the form: whoever still reads a part would wait for ever.
    for (const part of parts) part.destroy(error as Error);
    drain(incoming);
    const settled = await Promise.allSettled(arriving);
    await discard(settled.flatMap((file) => (file.status === "fulfilled" ? [file.value.stored] : [])));
    throw error;
  }
}

function openForm(incoming: IncomingMessage, maxFiles: number): BusboyInstance {
  const type = incoming.headers["content-type"] ?? "";
  if (!/^multipart\/form-data\b/i.test(type)) {
    const message = "Send files as multipart/form-data.";
    throw new DocmillError("UNSUPPORTED_MEDIA_TYPE", message);
  }
  try {
    const headers = incoming.headers as BusboyConfig["headers"];
    return new Busboy({ headers, limits: { ...limits, files: maxFiles }, preservePath: true, isPartAFile });
  } catch (error) {
    throw invalidForm((error as Error).message);
  }
}

/** A part with a file name is a file, whatever its type. */
function isPartAFile(_field: string | undefined, _type: string | undefined, filename: string | undefined): boolean {
  return filename !== undefined;
}

/** A name is data: what a path would make of it is cut off, what cannot be stored or shown is replaced. */
function cleanName(name: string | undefined): string {
  const last = (name ?? "").split(/[\\/]/).at(-1) ?? "";
  const clean = last
    .replace(/[\p{Cc}\p{Bidi_Control}]/gu, "")
    .toWellFormed()
    .trim();
  return [...clean].slice(0, longestName).join("");
}

function drain(incoming: IncomingMessage): void {
  if (incoming.complete || incoming.destroyed) return;
  incoming.resume();
  const late = setTimeout(() => incoming.destroy(), drainMs).unref();
  incoming.once("close", () => clearTimeout(late));
}

function invalidForm(reason: string): DocmillError {
  return new DocmillError("INVALID_FORM", `The multipart form cannot be read: ${reason}`);
}

function brokenOff(): DocmillError {
  return new DocmillError("UPLOAD_BROKEN_OFF", "The connection broke before the upload was complete.");
}

function tooManyFiles(maxFiles: number): DocmillError {
  const message = `A request may carry ${maxFiles} files at most (DOCMILL_MAX_FILES_PER_REQUEST).`;
  return new DocmillError("TOO_MANY_FILES", message, { details: { maxFiles } });
}
