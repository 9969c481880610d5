/** How the client takes servers that are busy, silent, gone or no Docmill's. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createClient } from "./index.ts";

describe("errors", () => {
  it("say that there is no server, or another than Docmill's", async () => {
    const nowhere = createClient({ url: "http://127.0.0.1:9" });
    await expect(nowhere.readStats()).rejects.toMatchObject({ status: 0, code: "SERVER_UNREACHABLE" });
    const other = createClient({ url: await listen((_, response) => response.end("hello")) });
    await expect(other.readStats()).rejects.toMatchObject({ status: 200, code: "SERVER_NOT_UNDERSTOOD" });
    const failing = createClient({ url: await listen((_, response) => response.writeHead(418).end("hello")) });
    await expect(failing.readStats()).rejects.toMatchObject({ status: 418, code: "SERVER_ERROR" });
  });

  it("leave what the caller aborts as the caller's", async () => {
    const silent = createClient({ url: await listen(() => undefined) });
    const abort = new AbortController();
    const asked = silent.readStats({}, { signal: abort.signal });
    abort.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
  });

  it("have the words of books too, with a code where the status tells it", async () => {
    const answers: Record<string, [number, object]> = {
      "/admin/books": [401, { detail: "A key is needed." }],
      "/admin/books/x": [409, { detail: "The book is busy." }],
    };
    const url = await listen(({ url: path = "" }, response) => {
      const [status, body] = answers[path] ?? [500, {}];
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    const client = createClient({ url });
    await expect(client.listBooks()).rejects.toMatchObject({ code: "UNAUTHORIZED", message: "A key is needed." });
    await expect(client.readBook({ id: "x" })).rejects.toMatchObject({ status: 409, code: "SERVER_REFUSED" });
  });
});

describe("a busy server", () => {
  const busyFor = (times: number, status: number) => {
    let asked = 0;
    const answer: RequestListener = (_, response) => {
      if (++asked <= times)
        response.writeHead(status, { "retry-after": "0" }).end('{"error":"BUSY","message":"Later."}');
      else response.end('{"id":"0199c1f0-5b1e-7c3a-9d2e-0f4a6b8c1d2e","created":true}');
    };
    return { answer, asked: () => asked };
  };

  it.each([429, 503])("is asked again after %s for what is safe to repeat, and for nothing else", async (status) => {
    const { answer, asked } = busyFor(2, status);
    const url = await listen(answer);
    const patient = createClient({ url, retries: 2 });
    await expect(patient.createJob({ kind: "x" })).rejects.toMatchObject({ code: "BUSY", retryAfterSeconds: 0 });
    expect(asked()).toBe(1);
    await patient.createJob({ kind: "x" }, { idempotencyKey: "once" });
    expect(asked()).toBe(3);
  });

  it("is given up after as many tries as were allowed", async () => {
    const { answer, asked } = busyFor(10, 503);
    const patient = createClient({ url: await listen(answer), retries: 3 });
    await expect(patient.readStats()).rejects.toMatchObject({ status: 503 });
    expect(asked()).toBe(4);
    await expect(patient.readStats({}, { retries: 0 })).rejects.toMatchObject({ status: 503 });
    expect(asked()).toBe(5);
  });
});

async function listen(listener: RequestListener): Promise<string> {
  const http = createServer(listener);
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}
