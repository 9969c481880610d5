/** Stands in for the server where files are sent, XMLHttpRequest: each upload waits until a test answers it. */
import { vi } from "vitest";
import type { Refusal } from "./fake-server.ts";

export interface FakeUpload {
  readonly form: FormData;
  readonly headers: Readonly<Record<string, string>>;
  progress(share: number): void;
  answer(body: unknown): void;
  refuse(refusal: Refusal): void;
  /** As when the server cannot be reached. */
  breakOff(): void;
}

/** The uploads from now on, in their order. */
export function takeUploads(): readonly FakeUpload[] {
  const uploads: FakeUpload[] = [];
  vi.stubGlobal("XMLHttpRequest", transferInto(uploads));
  return uploads;
}

/** As much of an XMLHttpRequest as an upload needs. */
function transferInto(uploads: FakeUpload[]) {
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
        refuse: ({ status, ...answer }) => finish(status, answer),
        breakOff: () => this.onerror?.(),
      });
    }
  };
}
