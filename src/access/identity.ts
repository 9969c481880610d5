/** Who is asking, and what they may do. */
import { type KeyScope, keyScopes } from "../contract/access.ts";

export interface Identity {
  /** Null where no key is asked for and none was given. */
  keyId: string | null;
  name: string | null;
  scope: KeyScope;
  /** When the browser's session ends; null where there is none. */
  sessionEndsAt: string | null;
}

/** Whoever reaches a server that asks for no keys. */
export const anyone: Identity = { keyId: null, name: null, scope: "admin", sessionEndsAt: null };

/** Each scope includes the ones before it. */
export function mayDo({ scope }: Identity, needed: KeyScope): boolean {
  return keyScopes.indexOf(scope) >= keyScopes.indexOf(needed);
}
