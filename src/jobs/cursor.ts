/** Where a page ends, as an opaque text that a client hands back. Whatever else a client sends is refused. */
import { DocmillError } from "../errors.ts";

export function encodeCursor(parts: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(parts)).toString("base64url");
}

/** The parts put in by `encodeCursor`, checked by `isRight` before they come near a statement. */
export function decodeCursor<Parts extends readonly (string | number)[]>(
  cursor: string,
  isRight: (parts: readonly unknown[]) => parts is Parts,
): Parts {
  const parts = parse(cursor);
  if (Array.isArray(parts) && isRight(parts)) return parts;
  throw new DocmillError("INVALID_CURSOR", "This cursor is not one of this list. Start again without a cursor.");
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    return undefined;
  }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a part may be compared with a uuid column. */
export function isUuid(part: unknown): part is string {
  return typeof part === "string" && uuid.test(part);
}

/** Whether a part may be compared with an integer column. */
export function isInt4(part: unknown): part is number {
  return Number.isInteger(part) && Math.abs(part as number) <= 2_147_483_647;
}
