/** How long a body is said to be: rightly, in chunks, or in ways that no two programs understand alike. */
import type { Random } from "./random.ts";

interface Framed {
  body: Buffer;
  whole: boolean;
  halfClose?: boolean;
}

/** Adds the headers that say how long the body is. */
export function frame(random: Random, headers: string[], body: Buffer): Framed {
  const say = (...lines: string[]) => void headers.push(...lines);
  const { length } = body;
  const chunk = (bytes: Buffer) =>
    Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);
  if (random.chance(0.85)) {
    say(`Content-Length: ${length}`);
    return { body, whole: true };
  }
  const ways: (() => Framed)[] = [
    () => {
      say("Transfer-Encoding: chunked");
      const half = Math.floor(length / 2);
      const parts = [body.subarray(0, half), body.subarray(half)].filter((part) => part.length > 0).map(chunk);
      return { body: Buffer.concat([...parts, Buffer.from("0\r\n\r\n")]), whole: true };
    },
    () => {
      say("Transfer-Encoding: chunked");
      return { body: Buffer.concat([chunk(body.subarray(0, 50)), Buffer.from("zz\r\nnot a chunk\r\n")]), whole: false };
    },
    () => {
      say("Transfer-Encoding: chunked");
      return { body: Buffer.from("ffffffffffffffff1\r\nx"), whole: false, halfClose: true };
    },
    () => {
      say("Transfer-Encoding: chunked");
      return { body: Buffer.from(`1;${"e".repeat(30_000)}\r\nx\r\n0\r\n\r\n`), whole: false };
    },
    () => {
      say("Transfer-Encoding: gzip, chunked, identity");
      return { body, whole: false, halfClose: true };
    },
    () => {
      say(`Content-Length: ${length}`, "Transfer-Encoding: chunked");
      return { body, whole: false, halfClose: true };
    },
    () => {
      say(`Content-Length: ${length + random.between(1, 100_000)}`);
      return { body, whole: false, halfClose: true };
    },
    () => {
      say(`Content-Length: ${Math.floor(length / 2)}`);
      return { body, whole: false };
    },
    () => {
      say(`Content-Length: ${random.pick(["-1", "NaN", "1e3", "0x10", "99999999999999999999", "1 2", ""])}`);
      return { body, whole: false, halfClose: true };
    },
    () => {
      say(`Content-Length: ${length}`, `Content-Length: ${length + 1}`);
      return { body, whole: false, halfClose: true };
    },
    () => ({ body, whole: false, halfClose: true }),
  ];
  return random.pick(ways)();
}
