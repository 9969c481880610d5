/**
 * The network at its border: answers by method and path, streams that a test feeds, and uploads that it answers. What was
 * asked is kept, in order.
 */
import { vi } from "vitest";

type Answer = unknown | (() => unknown);

interface Refusal {
  status: number;
  error: string;
  message: string;
}

export interface OpenStream {
  lastEventId: string | null;
  send(event: { type: string; eventId?: number }): void;
  /** As when the server closes it, or is killed. */
  end(): void;
}

export interface Upload {
  form: FormData;
  headers: Record<string, string>;
  progress(share: number): void;
  answer(body: unknown): void;
  refuse(refusal: Refusal): void;
  /** As when the server cannot be reached. */
  breakOff(): void;
}

export interface FakeNetwork {
  /** Like "GET /api/batch". */
  asked: string[];
  /** What was opened of a path, latest last. */
  streams(path: string): OpenStream[];
  uploads: Upload[];
  on(what: string, answer: Answer): void;
  refuse(what: string, refusal: Refusal): void;
}

export function fakeNetwork(): FakeNetwork {
  const asked: string[] = [];
  const answers = new Map<string, Answer>();
  const refusals = new Map<string, Refusal>();
  const opened: { path: string; stream: OpenStream }[] = [];
  const uploads: Upload[] = [];

  const answer = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const path = url.split("?")[0] ?? url;
    const what = `${init.method ?? "GET"} ${path}`;
    asked.push(what);
    const refusal = refusals.get(what);
    if (refusal) return respond(refusal.status, { success: false, ...refusal });
    if (path.endsWith("/stream")) return openStream(path, init);
    if (!answers.has(what)) return respond(404, { error: "NOT_FOUND", message: `There is no ${path}.` });
    const found = answers.get(what);
    return respond(200, typeof found === "function" ? found() : found);
  };

  function openStream(path: string, { headers, signal }: RequestInit): Response {
    const encoder = new TextEncoder();
    let sink: ReadableStreamDefaultController<Uint8Array>;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        sink = controller;
        signal?.addEventListener("abort", () => controller.error(new Error("aborted")));
      },
    });
    const stream: OpenStream = {
      lastEventId: new Headers(headers).get("last-event-id"),
      send: (event) => {
        const id = event.eventId === undefined ? "" : `id: ${event.eventId}\n`;
        sink.enqueue(encoder.encode(`${id}event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`));
      },
      end: () => sink.close(),
    };
    opened.push({ path, stream });
    return { ok: true, status: 200, body } as Response;
  }

  vi.stubGlobal("fetch", answer);
  vi.stubGlobal("XMLHttpRequest", uploadInto(uploads));

  return {
    asked,
    streams: (path) => opened.filter((one) => one.path === path).map(({ stream }) => stream),
    uploads,
    on: (what, given) => {
      refusals.delete(what);
      answers.set(what, given);
    },
    refuse: (what, refusal) => refusals.set(what, refusal),
  };
}

function respond(status: number, body: unknown): Response {
  return { ok: status < 400, status, text: async () => JSON.stringify(body) } as Response;
}

/** As much of an XMLHttpRequest as an upload needs. */
function uploadInto(uploads: Upload[]) {
  return class {
    upload: { onprogress?: (event: object) => void } = {};
    onload?: () => void;
    onerror?: () => void;
    onabort?: () => void;
    status = 0;
    responseText = "";
    #headers: Record<string, string> = {};

    open(): void {}

    setRequestHeader(name: string, value: string): void {
      this.#headers[name] = value;
    }

    abort(): void {
      this.onabort?.();
    }

    send(form: FormData): void {
      const finish = (status: number, body: unknown) => {
        this.status = status;
        this.responseText = JSON.stringify(body);
        this.onload?.();
      };
      uploads.push({
        form,
        headers: this.#headers,
        progress: (share) => this.upload.onprogress?.({ lengthComputable: true, loaded: share, total: 1 }),
        answer: (body) => finish(200, body),
        refuse: (refusal) => finish(refusal.status, { success: false, ...refusal }),
        breakOff: () => this.onerror?.(),
      });
    }
  };
}
