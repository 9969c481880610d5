/** Reads server-sent events from the body of an answer, however the network cut it into pieces. */
export interface ServerEvent {
  id: string;
  type: string;
  data: string;
}

export interface ReadOptions {
  /** How long the server may say nothing at all, not even that it is alive, before the connection is taken for dead. */
  silenceMs?: number;
}

export async function* readEventStream(
  body: ReadableStream<Uint8Array>,
  { silenceMs }: ReadOptions = {},
): AsyncGenerator<ServerEvent, void, void> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = "";
  let event = emptyEvent();
  try {
    for (;;) {
      const { done, value } = await readOrGiveUp(reader, silenceMs);
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r?\n/);
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (line !== "") addField(event, line);
        else {
          // An empty line ends an event; comments that keep the connection alive leave nothing behind.
          if (event.data.length > 0) yield { id: event.id, type: event.type, data: event.data.join("\n") };
          event = { ...emptyEvent(), id: event.id };
        }
      }
    }
  } finally {
    // Whoever stops reading closes the connection; one that broke has nothing to close.
    reader.cancel().catch(() => undefined);
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

async function readOrGiveUp(reader: Reader, silenceMs: number | undefined): ReturnType<Reader["read"]> {
  if (silenceMs === undefined) return reader.read();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("The server has gone silent.")), silenceMs);
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } finally {
    clearTimeout(timer);
  }
}

function emptyEvent() {
  return { id: "", type: "message", data: [] as string[] };
}

function addField(event: ReturnType<typeof emptyEvent>, line: string): void {
  const colon = line.indexOf(":");
  const name = colon < 0 ? line : line.slice(0, colon);
  const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
  if (name === "id") event.id = value;
  else if (name === "event") event.type = value;
  else if (name === "data") event.data.push(value);
}
