/** A process full of readers of jobs' streams over HTTP, each with a connection of its own, that note how late events come. */
import { type ClientRequest, get } from "node:http";
import { offer } from "../harness/child.ts";
import { now } from "../harness/clock.ts";

let delays: number[] = [];
let open: ClientRequest[] = [];

const api = {
  /** A reader for each; resolves when the server has told all of them how things stand. */
  async openReaders({ url, streamIds }: { url: string; streamIds: readonly string[] }): Promise<void> {
    await Promise.all(streamIds.map((id) => follow(`${url}/api/jobs/${id}/stream`)));
  },
  /** How late each event came that any of them got since the last time, in ms. */
  async takeDelays(): Promise<number[]> {
    const taken = delays;
    delays = [];
    return taken;
  },
  async closeReaders(): Promise<void> {
    for (const request of open) request.destroy();
    open = [];
  },
};

function follow(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false, headers: { accept: "text/event-stream" } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`a reader was answered ${response.statusCode}`));
      response.once("error", () => undefined);
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        const at = now();
        const messages = (text + chunk).split("\n\n");
        text = messages.pop() ?? "";
        for (const message of messages) {
          if (message.includes("event: state_sync")) resolve();
          const sentAt = /"sentAt":([\d.]+)/.exec(message)?.[1];
          if (sentAt !== undefined) delays.push(at - Number(sentAt));
        }
      });
    });
    request.once("error", reject);
    open.push(request);
  });
}

export type SseReaderApi = typeof api;

offer(api);
