import fc from "fast-check";
import { expect, it } from "vitest";
import { readEventStream, type ServerEvent } from "./read-event-stream.ts";

const stream = `retry: 2000

id: 1
event: job_started
data: {"lease":1}

:

id: 2
event: job_progress
data: {"message":
data: "Grüße 🌍"}

: the last one is cut off
id: 3
event: job_completed
data: {}
`;

const events = [
  { id: "1", type: "job_started", data: '{"lease":1}' },
  { id: "2", type: "job_progress", data: '{"message":\n"Grüße 🌍"}' },
];

it.each(["\n", "\r\n"])(
  "reads the same events wherever the network cuts, with lines that end in %j",
  async (newline) => {
    const bytes = new TextEncoder().encode(stream.replaceAll("\n", newline));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length)), async (cuts) => {
        const places = [0, ...cuts.sort((one, other) => one - other), bytes.length];
        const pieces = places.slice(1).map((end, index) => bytes.slice(places[index], end));
        const read: ServerEvent[] = [];
        for await (const event of readEventStream(ReadableStream.from(pieces))) read.push(event);
        expect(read).toEqual(events);
      }),
    );
  },
);
