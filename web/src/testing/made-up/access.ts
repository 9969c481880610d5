/** Made-up sessions and keys, of which a test names what it is about. */
import type { ApiKey, KeyScope, Session } from "../../../../src/contract/access.ts";

/** As on a server that asks for no keys. */
export const openSession: Session = {
  keysRequired: false,
  user: { keyId: null, name: null, scope: "admin", sessionEndsAt: null },
};

/** As on one that asks for them, of somebody who has given none. */
export const noSession: Session = { keysRequired: true, user: null };

export function makeSession(scope: KeyScope, name = "desk", keyId = "key"): Session {
  return { keysRequired: true, user: { keyId, name, scope, sessionEndsAt: null } };
}

export function makeApiKey(given: Partial<ApiKey> = {}): ApiKey {
  return {
    id: "key",
    name: "desk",
    scope: "write",
    prefix: "dm_aaaaaaaaaa",
    createdAt: "2031-06-14T06:00:00.000Z",
    lastUsedAt: null,
    expiresAt: null,
    revokedAt: null,
    ...given,
  };
}
