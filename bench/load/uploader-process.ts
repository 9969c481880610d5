/**
 * A process full of people who upload: each sends a small document, waits for the answer, and sends the next, until the
 * time is up. Every answer counts, also the one that never came.
 */
import { Agent, request } from "node:http";
import { offer } from "../harness/child.ts";
import { now } from "../harness/clock.ts";
import { quantile } from "../harness/result.ts";

export interface UploadReport {
  /** How many answers had which status; 0 where the connection broke. */
  statuses: Record<number, number>;
  medianMs: number;
  p99Ms: number;
}

let untold: string[] = [];
let running: Promise<void> | undefined;
let over = false;
let sent = 0;
const statuses: Record<number, number> = {};
const answeredMs: number[] = [];

const api = {
  async start({ url, people }: { url: string; people: number }): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: people });
    running = Promise.all(Array.from({ length: people }, () => keepUploading(url, agent))).then(() => agent.destroy());
  },
  /** Documents taken since this was asked last. */
  takeIds: async (): Promise<string[]> => {
    const ids = untold;
    untold = [];
    return ids;
  },
  async finish(): Promise<UploadReport> {
    over = true;
    await running;
    return { statuses, medianMs: quantile(answeredMs, 0.5), p99Ms: quantile(answeredMs, 0.99) };
  },
};

export type UploaderApi = typeof api;

offer(api);

async function keepUploading(url: string, agent: Agent): Promise<void> {
  while (!over) {
    const startedAt = now();
    const { status, body } = await upload(url, agent, ++sent);
    answeredMs.push(now() - startedAt);
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status === 200) untold.push((JSON.parse(body) as { id: string }).id);
  }
}

function upload(url: string, agent: Agent, number: number): Promise<{ status: number; body: string }> {
  const text = `# Report ${number}\n\n${`Line ${number} of a report that nobody has read before. `.repeat(20)}\n`;
  const boundary = "----of-the-load";
  const form = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="report-${number}.md"\r\n\r\n${text}\r\n--${boundary}--\r\n`;
  const headers = { "content-type": `multipart/form-data; boundary=${boundary}`, "content-length": form.length };
  return new Promise((resolve) => {
    const broken = () => resolve({ status: 0, body: "" });
    const outgoing = request(`${url}/api/documents`, { method: "POST", agent, headers }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        body += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body })).on("error", broken);
    });
    outgoing.on("error", broken).end(form);
  });
}
