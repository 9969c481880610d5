/** Heads of requests: what a client may say about itself and about what it wants, garbled by chance. */
import { hostileHeader } from "./hostile-values.ts";
import type { Random } from "./random.ts";
import type { Operation } from "./read-operations.ts";

const garbled = [
  "Accept",
  "Accept-Encoding",
  "Accept-Language",
  "Authorization",
  "Content-Encoding",
  "Content-Language",
  "Cookie",
  "Date",
  "Forwarded",
  "From",
  "If-Match",
  "If-Modified-Since",
  "If-None-Match",
  "If-Range",
  "Idempotency-Key",
  "Last-Event-ID",
  "Origin",
  "Pragma",
  "Range",
  "Referer",
  "Sec-Fetch-Site",
  "TE",
  "User-Agent",
  "X-Forwarded-For",
  "X-Forwarded-Proto",
  "X-HTTP-Method-Override",
  "traceparent",
];

const nearlyRight = [
  "Accept: application/json",
  "Accept: text/event-stream",
  "Accept: text/html;q=0",
  "Authorization: Bearer dm_none",
  "Authorization: Basic %%%",
  "Cookie: docmill_session=%ff; docmill_session=x; =; ;;",
  "If-None-Match: *",
  'If-None-Match: W/"x", "y',
  "Range: bytes=0-",
  "Range: bytes=-0",
  "Range: bytes=5-2",
  "Range: bytes=99999999999999999999-",
  "Range: bytes=0-0,2-3",
  "Range: lines=1-2",
  "Last-Event-ID: 1",
  "Last-Event-ID: -1",
  "Last-Event-ID: 99999999999",
  "Idempotency-Key: again",
  "Expect: 100-continue",
  "Expect: a-miracle",
  "Upgrade: websocket",
  "Upgrade: h2c",
  "Connection: close",
  "Connection: upgrade",
  "Content-Encoding: gzip",
  "X-HTTP-Method-Override: DELETE",
  "Sec-Fetch-Site: cross-site",
];

/** `head` are the lines that every request begins with, the Host first. */
export function writeHeaders(random: Random, { parameters }: Operation, head: readonly string[]): string[] {
  const [host = "", ...more] = head;
  const headers = [random.chance(0.97) ? host : `Host: ${hostileHeader(random)}`, ...more];
  for (const { name, in: place } of parameters) {
    if (place === "header" && random.chance(0.4))
      headers.push(`${name}: ${random.chance(0.4) ? random.between(0, 9) : hostileHeader(random)}`);
  }
  if (random.chance(0.25)) headers.push(random.pick(nearlyRight));
  if (random.chance(0.2)) headers.push(`${random.pick(garbled)}: ${hostileHeader(random)}`);
  if (random.chance(0.01)) headers.push(...Array.from({ length: 300 }, (_, n) => `X-Many-${n}: ${n}`));
  if (random.chance(0.01)) headers.push(`X-Long: ${"y".repeat(40_000)}`);
  return headers;
}
