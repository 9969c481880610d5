/**
 * A process full of readers of batches, each with a connection of its own and nothing between it and the socket but HTTP:
 * each wants its batch's events 1, 2, 3 … without a gap or a double, also when it breaks off and comes back.
 */
import { type ClientRequest, get, type IncomingMessage } from "node:http";
import { offer } from "../harness/child.ts";

export interface WantedReader {
  batchId: string;
  /** Breaks off after so many events and comes back with Last-Event-ID, again and again. */
  breakEvery?: number;
}

export interface ReaderReport {
  batchId: string;
  /** The number of the last event that came. */
  last: number;
  /** How often it broke off. */
  breaks: number;
  /** What was wrong, if anything: the first of it. */
  problem: string | null;
}

const lastTypes = new Set(["batch_completed", "batch_cancelled"]);
let readers: Reader[] = [];

class Reader {
  readonly #url: string;
  readonly #wanted: WantedReader;
  readonly #ended = Promise.withResolvers<void>();
  readonly #connected = Promise.withResolvers<void>();
  #request: ClientRequest | undefined;
  #last = 0;
  #sinceBreak = 0;
  #breaks = 0;
  #problem: string | null = null;
  #over = false;

  constructor(url: string, wanted: WantedReader) {
    this.#url = url;
    this.#wanted = wanted;
    this.#connect();
  }

  /** Resolves when the server has begun to answer, or it went wrong. */
  get connected(): Promise<void> {
    return this.#connected.promise;
  }

  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Whether it still follows its batch. */
  get open(): boolean {
    return !this.#over;
  }

  get report(): ReaderReport {
    const missing = this.#over ? null : "the stream did not end";
    return {
      batchId: this.#wanted.batchId,
      last: this.#last,
      breaks: this.#breaks,
      problem: this.#problem ?? missing,
    };
  }

  close(): void {
    this.#over = true;
    this.#request?.destroy();
    this.#ended.resolve();
  }

  #connect(): void {
    const headers = { accept: "text/event-stream", "last-event-id": String(this.#last) };
    const request = get(`${this.#url}/api/batch/${this.#wanted.batchId}/stream`, { agent: false, headers });
    this.#request = request;
    request.once("response", (response) => this.#read(request, response));
    request.once("error", (error) => {
      if (this.#request === request) this.#fail(`connection: ${error.message}`);
    });
  }

  #read(request: ClientRequest, response: IncomingMessage): void {
    if (response.statusCode !== 200) {
      this.#fail(`answered ${response.statusCode}`);
      return;
    }
    this.#connected.resolve();
    let text = "";
    response.setEncoding("utf8").on("data", (chunk: string) => {
      const messages = (text + chunk).split("\n\n");
      text = messages.pop() ?? "";
      for (const message of messages) {
        // What was on the way when it broke off never reached the person.
        if (this.#request !== request || this.#over) return;
        this.#take(message);
      }
    });
    response.once("end", () => {
      if (this.#request === request && !this.#over) this.#fail("the server closed before the batch had ended");
    });
    response.once("error", () => undefined);
  }

  #take(message: string): void {
    const number = /^id: (\d+)$/m.exec(message)?.[1];
    // The time to come back after, and what keeps the connection alive.
    if (number === undefined) return;
    const type = /^event: (.+)$/m.exec(message)?.[1] ?? "";
    if (type === "state_sync" || Number(number) !== this.#last + 1) {
      this.#fail(`${type} ${number} came after event ${this.#last}`);
      return;
    }
    this.#last++;
    this.#sinceBreak++;
    if (lastTypes.has(type)) this.close();
    else if (this.#sinceBreak === this.#wanted.breakEvery) this.#comeBack();
  }

  #comeBack(): void {
    this.#sinceBreak = 0;
    this.#breaks++;
    const broken = this.#request;
    this.#connect();
    broken?.destroy();
  }

  #fail(problem: string): void {
    this.#problem ??= problem;
    this.#connected.resolve();
    this.close();
  }
}

const api = {
  /** Resolves when the server has begun to answer all of them. */
  async openReaders({ url, wanted }: { url: string; wanted: readonly WantedReader[] }): Promise<void> {
    readers = wanted.map((one) => new Reader(url, one));
    await Promise.all(readers.map(({ connected }) => connected));
  },
  /** Answers when all batches have ended for their readers, or nobody waits any longer. */
  async finish({ patienceMs }: { patienceMs: number }): Promise<ReaderReport[]> {
    const timer = Promise.withResolvers<void>();
    const timeout = setTimeout(timer.resolve, patienceMs);
    await Promise.race([Promise.all(readers.map(({ ended }) => ended)), timer.promise]);
    clearTimeout(timeout);
    const reports = readers.map(({ report }) => report);
    for (const reader of readers) reader.close();
    return reports;
  },
  countOpen: async (): Promise<number> => readers.filter(({ open }) => open).length,
};

export type StreamReaderApi = typeof api;

offer(api);
