/**
 * The client for the commands that need a server. What the server refuses becomes a DocmillError that says the next step,
 * no answer at all becomes SERVER_UNREACHABLE, and a stream that a person stops watching ends without an error.
 */
import { openAsBlob } from "node:fs";
import { basename } from "node:path";
import { createClient, DocmillApiError, type DocmillClient } from "../client/index.ts";
import { DocmillError } from "../errors.ts";

export type ServerClient = DocmillClient;

export function connectServer(url: string, key?: string): ServerClient {
  // Nobody waits at a terminal for a server that is down: uploads alone are worth another try.
  const client = createClient({ url, key, retries: 0 });
  const methods = Object.entries(client).map(([name, method]) => [
    name,
    typeof method === "function" ? explaining(method as AnyMethod) : method,
  ]);
  return Object.fromEntries(methods) as ServerClient;
}

type Stream = AsyncGenerator<unknown, void, void>;
type AnyMethod = (input: unknown, options?: { signal?: AbortSignal }) => Promise<unknown> | Stream;

function explaining(method: AnyMethod): AnyMethod {
  return (input, options) => {
    const result = method(input, options);
    return Symbol.asyncIterator in result
      ? untilStopped(result, options?.signal)
      : result.catch((error: unknown) => {
          throw explain(error);
        });
  };
}

async function* untilStopped(stream: Stream, signal: AbortSignal | undefined): Stream {
  try {
    yield* stream;
  } catch (error) {
    if (!signal?.aborted) throw explain(error);
  }
}

/** What to do about it, where the server cannot know. */
const nextSteps: Readonly<Record<string, string>> = {
  SERVER_UNREACHABLE: "Start one with docmill serve, or name it with --server.",
  UNAUTHORIZED: "Set DOCMILL_API_KEY to a key.",
  WRONG_KEY: "Correct DOCMILL_API_KEY.",
  FORBIDDEN: "Set DOCMILL_API_KEY to a key that may.",
};

function explain(error: unknown): unknown {
  if (!(error instanceof DocmillApiError)) return error;
  const { code, message, details, requestId } = error;
  const trace = requestId === undefined ? undefined : `The server's log has more under ${requestId}.`;
  const sentences = [message.replaceAll(/\s*\n\s*/g, " "), trace, nextSteps[code]];
  return new DocmillError(code, sentences.filter(Boolean).join(" "), { details, cause: error });
}

/** A file that is sent from the disk as it is read. */
export async function openFile(path: string): Promise<File> {
  return new File([await openAsBlob(path)], basename(path));
}
