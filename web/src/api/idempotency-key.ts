/** Names something that is sent, so that the server takes it once however often it is tried. */

/** crypto.randomUUID is only there on https and localhost; random values are everywhere. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
