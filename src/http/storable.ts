/** Refuses JSON that PostgreSQL cannot hold, before it is anyone's job: NUL and half characters, endless nesting. */
import { DocmillError } from "../errors.ts";

const deepest = 200;

export function requireStorable(value: unknown): void {
  const waiting: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, depth } = next;
    if (typeof value === "string") requireText(value);
    if (typeof value !== "object" || value === null) continue;
    if (depth === deepest) throw notStorable(`is nested more than ${deepest} levels deep`);
    for (const [name, inner] of Object.entries(value)) {
      requireText(name);
      waiting.push({ value: inner, depth: depth + 1 });
    }
  }
}

function requireText(text: string): void {
  if (text.includes("\0")) throw notStorable("contains the character U+0000");
  if (!text.isWellFormed()) throw notStorable("contains half of a surrogate pair");
}

function notStorable(what: string): DocmillError {
  return new DocmillError("NOT_STORABLE", `The input ${what}, which cannot be stored. Leave it out and send it again.`);
}
