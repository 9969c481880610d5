/**
 * How a source of unknown length becomes a blob in a remote store, with flat memory: a small one in a single request, a
 * larger one in parts, a few at a time, that become visible together when they are committed.
 *
 * The signal is heeded until the commit begins, and cuts the requests under way. After that the outcome is awaited:
 * giving up in the middle of a commit would leave open whether the blob is there.
 */
import { TerminalError } from "../errors.ts";
import { type Intake, openIntake } from "./intake.ts";

/** Above the 5 MiB that S3 asks of every part but the last. */
const partBytes = 8 * 1024 * 1024;
const partsAtOnce = 3;

export interface PartsTarget {
  /** Stores a blob that fits into one part. */
  putWhole(bytes: Uint8Array): Promise<void>;
  /** Gets ready for parts. */
  begin(signal: AbortSignal): Promise<PartsUpload>;
  /** How many parts there may be. */
  maxParts: number;
}

interface PartsUpload {
  /** Numbered from 1. */
  putPart(part: number, bytes: Uint8Array, signal: AbortSignal): Promise<void>;
  commit(): Promise<void>;
  /** Gives the parts back; called whenever they are not committed. */
  discard(): Promise<void>;
}

export async function putInParts(
  target: PartsTarget,
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
  translate: (error: unknown) => Error,
): Promise<{ size: number }> {
  signal?.throwIfAborted();
  // One part that fails ends the others, and the wait for a source that has nothing to give.
  const failing = new AbortController();
  const cut = signal ? AbortSignal.any([signal, failing.signal]) : failing.signal;
  const intake = openIntake(source, cut);
  try {
    const parts = toParts(intake);
    const first = await parts.next();
    if (first.done || first.value.last) await target.putWhole(first.value?.bytes ?? new Uint8Array());
    else await putAll(target, first.value.bytes, parts, failing, cut);
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    const failure = intake.failure();
    // The intake also ends with the error of a part; that one is the store's.
    if (failure && failure.error !== failing.signal.reason) throw failure.error;
    throw translate(error);
  } finally {
    await intake.chunks.return();
  }
  return { size: intake.size() };
}

async function putAll(
  target: PartsTarget,
  first: Uint8Array,
  rest: AsyncGenerator<Part>,
  failing: AbortController,
  cut: AbortSignal,
): Promise<void> {
  const upload = await target.begin(cut);
  const underWay = new Set<Promise<void>>();
  let number = 0;
  const send = async (bytes: Uint8Array) => {
    number += 1;
    if (number > target.maxParts) throw new TerminalError("FILE_TOO_LARGE", "The file is too large for the storage.");
    const sending = upload
      .putPart(number, bytes, cut)
      .catch((error: unknown) => failing.abort(error))
      .finally(() => underWay.delete(sending));
    underWay.add(sending);
    if (underWay.size >= partsAtOnce) await Promise.race(underWay);
    cut.throwIfAborted();
  };
  try {
    await send(first);
    for await (const part of rest) await send(part.bytes);
    await Promise.all(underWay);
    cut.throwIfAborted();
  } catch (error) {
    const cause = cut.aborted ? cut.reason : error;
    failing.abort();
    await Promise.all(underWay);
    await upload.discard();
    throw cause;
  }
  await upload.commit();
}

interface Part {
  bytes: Uint8Array;
  /** Whether it is known to be the last one. */
  last: boolean;
}

/** Parts of equal size; the last may be smaller. Nothing at all for a source without bytes. */
async function* toParts(intake: Intake): AsyncGenerator<Part, undefined> {
  let gathered: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of intake.chunks) {
    let rest = chunk;
    while (size + rest.byteLength >= partBytes) {
      gathered.push(rest.subarray(0, partBytes - size));
      rest = rest.subarray(partBytes - size);
      const bytes = Buffer.concat(gathered, partBytes);
      gathered = [];
      size = 0;
      yield { bytes, last: false };
    }
    if (rest.byteLength > 0) gathered.push(rest);
    size += rest.byteLength;
  }
  if (size > 0) yield { bytes: Buffer.concat(gathered, size), last: true };
}
