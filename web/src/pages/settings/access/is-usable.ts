/** Whether a key still opens anything. */
import type { ApiKey } from "../../../../../src/contract/access.ts";

export function isUsable({ revokedAt, expiresAt }: ApiKey, now = Date.now()): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > now);
}
