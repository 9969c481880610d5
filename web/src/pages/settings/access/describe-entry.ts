/** An entry of the audit log in words: who did what, and the rest of what is known of it. */
import type { AuditEntry } from "../../../../../src/contract/access.ts";

const words: Record<string, string> = {
  "key.create": "made the key",
  "key.revoke": "revoked the key",
  "session.start": "signed in",
  "session.refused": "was refused: the key was wrong",
  "session.end": "signed out",
  "document.delete": "deleted the document",
  "document.cancel": "stopped the document",
  "document.retry": "had another try at the document",
  "document.reprocess": "had the document read again:",
  "batch.cancel": "cancelled the batch",
  "batch.retry": "had another try at the batch",
  "job.cancel": "cancelled the job",
  "job.retry": "had another try at the job",
  "book.create": "began a book",
  "book.delete": "deleted the book",
};

export interface EntryWords {
  who: string;
  what: string;
  more: string;
}

export function describeEntry({ actor, address, action, target, details }: AuditEntry): EntryWords {
  const { name, by, path: _told, ...rest } = details;
  const subject = typeof name === "string" ? name : target;
  const isKnown = words[action] !== undefined;
  const what = words[action] ?? `did “${action.replace(/[._-]+/g, " ")}”`;
  return {
    who: actor ?? (typeof by === "string" ? `Somebody at the ${by}` : "Somebody without a key"),
    what: subject === null || action === "book.create" ? what : `${what}${isKnown ? " " : " to "}${subject}`,
    more: [action, address !== null && `from ${address}`, describeDetails(rest)].filter(Boolean).join(" · "),
  };
}

/** "scope: write, pages: 3". */
function describeDetails(details: Record<string, unknown>): string {
  return Object.entries(details)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name}: ${typeof value === "object" ? JSON.stringify(value) : String(value)}`)
    .join(", ");
}
