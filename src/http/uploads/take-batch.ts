/** An upload becomes a batch of heat sheets: its files in storage, its rows and jobs in one transaction, or nothing at all. */
import type { IncomingMessage } from "node:http";
import { z } from "zod";
import { isConnectionError, wasNeverReached } from "../../db/database.ts";
import { requireStorable } from "../../db/storable.ts";
import { toFileName } from "../../download/file-name.ts";
import { DocmillError } from "../../errors.ts";
import { uploadKey } from "../../pipelines/heats/blob-keys.ts";
import type { CreatedBatch, NewSheet, NewSheetBatch } from "../../pipelines/heats/change-batches.ts";
import type { Heats } from "../../pipelines/heats/heats.ts";
import { type StoredPdf, storePdf } from "../../pipelines/heats/store-pdf.ts";
import { receiveUpload } from "./receive-upload.ts";

const longestName = 200;
const mostWords = 12;
const longestUrl = 4_000;

export interface BatchRequest {
  extractor: NewSheetBatch["extractor"];
  idempotencyKey?: string;
}

export async function takeBatch(
  incoming: IncomingMessage,
  { services, actions }: Heats,
  { extractor, idempotencyKey }: BatchRequest,
): Promise<CreatedBatch> {
  const { blobs, limits } = services;
  const id = actions.chooseId();
  const discard = (files: readonly (StoredPdf | undefined)[]) =>
    blobs.delete(files.flatMap((file) => file?.blobKey ?? []));
  const upload = await receiveUpload<StoredPdf | undefined>(incoming, {
    maxFiles: limits.maxPdfsPerBatch,
    beyond: "count",
    nameless: "",
    async store(source, filename, place, signal) {
      // A form field that was left empty comes as a file without name and content.
      const parts = filename === "" ? await orNothing(source) : source;
      if (!parts) return undefined;
      const key = uploadKey(id, place);
      const name = filename || "sheet.pdf";
      return storePdf(parts, { blobs, key, filename: name, maxBytes: limits.maxPdfBytes, signal });
    },
    discard,
  });
  const stored = upload.files.map((file) => file.stored);
  try {
    const { swimmerName, urls, notifyEmail } = readFields(upload.fields);
    const files = upload.files.flatMap(({ filename, stored: file }): NewSheet[] =>
      file ? [{ filename: filename || "sheet.pdf", file }] : [],
    );
    const sheets = [...files, ...urls.map((url): NewSheet => ({ url, filename: nameOf(url) }))];
    refuseCount(sheets.length + upload.extraFiles, limits.maxPdfsPerBatch);
    const created = await actions.create({ id, swimmerName, extractor, notifyEmail, sheets }, idempotencyKey);
    // The same request came before: its files are in storage already.
    if (!created.created) await discard(stored);
    return created;
  } catch (error) {
    // After a lost connection nobody knows whether the batch is in; files that belong to none are swept up later.
    if (!isConnectionError(error) || wasNeverReached(error)) await discard(stored);
    throw error;
  }
}

async function orNothing(source: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array> | undefined> {
  const iterator = source[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done) return undefined;
  return (async function* () {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => iterator };
  })();
}

function readFields(fields: ReadonlyMap<string, string>) {
  const swimmerName = requireSwimmer(fields.get("swimmer"));
  const urls = readUrls(fields.get("urls"));
  const notifyEmail = fields.get("notifyEmail")?.trim() || undefined;
  if (notifyEmail !== undefined) requireEmail(notifyEmail);
  return { swimmerName, urls, notifyEmail };
}

export function requireEmail(address: string): string {
  const parsed = z.email().max(254).safeParse(address);
  if (parsed.success) return parsed.data;
  throw new DocmillError("INVALID_EMAIL", "This is not an email address.");
}

function requireSwimmer(text: string | undefined): string {
  // What cannot be seen is no part of a name, and would steer whatever shows it.
  const name = (text ?? "")
    .normalize("NFC")
    .replace(/\s+/g, " ")
    .replace(/\p{Cf}/gu, "")
    .trim();
  if (name === "") throw new DocmillError("MISSING_SWIMMER", "Swimmer name is required.");
  if (name.length > longestName || name.split(" ").length > mostWords) {
    const message = `A swimmer's name has ${longestName} characters and ${mostWords} words at most.`;
    throw new DocmillError("INVALID_REQUEST", message);
  }
  requireStorable(name, "The swimmer's name");
  return name;
}

/** Each url once, whatever its fragment; as it was given where it stands first. */
function readUrls(text: string | undefined): string[] {
  if (text === undefined || text.trim() === "") return [];
  const urls = new Map<string, string>();
  for (const given of parseList(text)) {
    const url = typeof given === "string" && given.length <= longestUrl ? URL.parse(given.trim()) : null;
    // A password in it would be shown to everyone who sees the batch.
    if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) throw invalidUrls();
    url.hash = "";
    if (!urls.has(url.href)) urls.set(url.href, (given as string).trim());
  }
  return [...urls.values()];
}

function parseList(text: string): unknown[] {
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list)) return list;
  } catch {
    // Said below.
  }
  throw invalidUrls();
}

function invalidUrls(): DocmillError {
  return new DocmillError("INVALID_URLS", "urls must be a JSON array of http and https URLs, without passwords.");
}

function refuseCount(count: number, most: number): void {
  if (count === 0) throw new DocmillError("NO_PDFS", "At least one PDF file or URL is required.");
  if (count <= most) return;
  throw new DocmillError("BATCH_TOO_LARGE", `Maximum ${most} PDFs per batch. You submitted ${count}.`);
}

function nameOf(url: string): string {
  const address = new URL(url);
  return toFileName(undefined, address) ?? address.hostname;
}
