/** Reads server-sent events from the body of an answer, however the network cut it into pieces. */
export interface ServerEvent {
  id: string;
  type: string;
  data: string;
}

export async function* readEventStream(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent, void, void> {
  const decoder = new TextDecoder();
  let rest = "";
  let event = emptyEvent();
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split(/\r?\n/);
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
