/**
 * A process full of people who watch: each follows one document's events from the first on, and the next document's when
 * that one is done. A number that is missing, doubled or out of order is a lost event, and so is an end that comes early.
 */
import { get, type IncomingMessage } from "node:http";
import { offer } from "../harness/child.ts";

export interface ReaderReport {
  /** Streams that were followed to their end. */
  followed: number;
  events: number;
  /** Most streams that were open at once. */
  mostOpen: number;
  problems: string[];
}

let url = "";
let over = false;
const waiting: string[] = [];
const idle: ((id: string) => void)[] = [];
const open = new Set<IncomingMessage>();
const report: ReaderReport = { followed: 0, events: 0, mostOpen: 0, problems: [] };

const api = {
  async start(options: { url: string; people: number }): Promise<void> {
    url = options.url;
    for (let i = 0; i < options.people; i++) void keepReading();
  },
  async give(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const reader = idle.shift();
      if (reader) reader(id);
      else waiting.push(id);
    }
  },
  countOpen: async (): Promise<number> => open.size,
  async finish(): Promise<ReaderReport> {
    over = true;
    for (const response of open) response.destroy();
    return report;
  },
};

export type LoadReaderApi = typeof api;

offer(api);

async function keepReading(): Promise<void> {
  while (!over) {
    const id = waiting.shift() ?? (await new Promise<string>((resolve) => idle.push(resolve)));
    await follow(id, 0);
  }
}

/** To its end; comes back where it was if the connection breaks. */
async function follow(id: string, after: number): Promise<void> {
  const { last, status } = await read(id, after);
  if (over) return;
  if (status === 204) report.followed++;
  else if (status === 200) await follow(id, last);
  else report.problems.push(`${id}: answered ${status} after event ${after}`);
}

function read(id: string, after: number): Promise<{ last: number; status: number }> {
  return new Promise((resolve) => {
    let last = after;
    const headers = { accept: "text/event-stream", "last-event-id": String(after) };
    const asked = get(`${url}/api/documents/${id}/stream`, { agent: false, headers }, (response) => {
      const status = response.statusCode ?? 0;
      open.add(response);
      report.mostOpen = Math.max(report.mostOpen, open.size);
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        const messages = (text + chunk).split("\n\n");
        text = messages.pop() ?? "";
        for (const message of messages) last = take(id, message, last);
      });
      response
        .on("error", () => undefined)
        .on("close", () => {
          open.delete(response);
          resolve({ last, status });
        });
    });
    asked.on("error", () => resolve({ last, status: over ? 204 : 0 }));
  });
}

function take(id: string, message: string, last: number): number {
  const number = /^id: (\d+)$/m.exec(message)?.[1];
  if (number === undefined) return last;
  report.events++;
  if (Number(number) !== last + 1) report.problems.push(`${id}: event ${number} came after ${last}`);
  return Number(number);
}
