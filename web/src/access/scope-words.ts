/** What a key may do, in words. */
import type { KeyScope } from "../../../src/contract/access.ts";

export const scopeWords: Record<KeyScope, string> = {
  read: "may look",
  write: "may look, add and change",
  admin: "may do everything, also manage keys",
};

/** Each includes the ones before it. */
export const scopes = Object.keys(scopeWords) as KeyScope[];
