import { inspect } from "node:util";
import { expect, test } from "vitest";
import { sendRequest } from "./send-request.ts";

const request = {
  service: "models.example",
  secrets: [],
  timeoutMs: 1_000,
  maxAnswerBytes: 1_000,
  signal: new AbortController().signal,
};

test.for([
  ["a key with a line break in it", "http://127.0.0.1:9", "Bearer hush\nhush"],
  ["a password in the address", "http://someone:hush@127.0.0.1:9", "Bearer key"],
] as const)("%s is refused and shown nowhere", async ([_what, url, authorization]) => {
  const failure = await sendRequest({ ...request, url: new URL(url), headers: { authorization } }).catch((e) => e);
  expect(failure).toMatchObject({ code: "INVALID_CREDENTIALS", retryable: false });
  expect(inspect(failure)).not.toContain("hush");
});
