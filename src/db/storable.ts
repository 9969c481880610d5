/** Refuses JSON that PostgreSQL cannot hold before it gets there: NUL and half characters, endless nesting. */

import { DocmillError } from "../errors.ts";
import { sqlState } from "./database.ts";

const deepest = 200;

/** Throws NOT_STORABLE, naming the value as `what`. */
export function requireStorable(value: unknown, what: string): void {
  const waiting: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, depth } = next;
    if (typeof value === "string") requireText(value, what);
    if (typeof value !== "object" || value === null) continue;
    if (depth === deepest) throw notStorable(what, `is nested more than ${deepest} levels deep`);
    for (const [name, inner] of Object.entries(value)) {
      requireText(name, what);
      waiting.push({ value: inner, depth: depth + 1 });
    }
  }
}

/** What PostgreSQL refused all the same: a value out of range (class 22), a lock key too long for its index (class 54). */
export function explainRefusal(error: unknown): unknown {
  if (!/^(22|54)/.test(sqlState(error) ?? "")) return error;
  const message = "The input holds a value that cannot be stored: it is too long or out of range.";
  return new DocmillError("NOT_STORABLE", message, { cause: error });
}

function requireText(text: string, what: string): void {
  if (text.includes("\0")) throw notStorable(what, "contains the character U+0000");
  if (!text.isWellFormed()) throw notStorable(what, "contains half of a surrogate pair");
}

function notStorable(what: string, why: string): DocmillError {
  return new DocmillError("NOT_STORABLE", `${what} ${why}, which cannot be stored. Leave that out and try again.`);
}
