/** Ids are UUIDs of version 7: unguessable, made without asking the database, and in order of time in every index. */
import { randomFillSync } from "node:crypto";

const pool = Buffer.alloc(16 * 256);
let used = pool.length;
let lastMs = 0;
let counter = 0;

/** A new id; ids made by one process sort in the order they were made. */
export function newId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const bytes = pool.subarray(used, used + 16);
  used += 16;

  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    counter = bytes.readUInt16BE(6) & 0x7ff;
  } else if (++counter > 0xfff) {
    // More than the 12 counter bits hold in one millisecond: borrow the next one, as RFC 9562 allows.
    lastMs++;
    counter = 0;
  }
  bytes.writeUIntBE(lastMs, 0, 6);
  bytes.writeUInt16BE(0x7000 | counter, 6);
  bytes.writeUInt8(0x80 | ((bytes[8] as number) & 0x3f), 8);
  return toUuid(bytes.toString("hex"));
}

/** No id made at this time or later sorts before it, and none made earlier after it. */
export function firstIdAt(ms: number): string {
  // What carries a time before 1970 would be no id.
  const time = Math.max(0, Math.ceil(ms)).toString(16).padStart(12, "0");
  return toUuid(`${time}70008000000000000000`);
}

function toUuid(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
