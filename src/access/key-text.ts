/**
 * What an API key looks like: `dm_`, ten characters that find its row, and a secret of 256 bits. Of the whole only a hash is
 * kept; a secret that long needs no slow hash, nobody can try its values.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

const letters = "abcdefghijklmnopqrstuvwxyz234567";
const prefixLetters = 10;
const secretBytes = 32;
const shape = /^(dm_[a-z2-7]{10})_[A-Za-z0-9_-]{43}$/;

export interface NewKeyText {
  key: string;
  prefix: string;
  hash: Buffer;
}

export function makeKeyText(): NewKeyText {
  const prefix = `dm_${Array.from(randomBytes(prefixLetters), (byte) => letters[byte & 31]).join("")}`;
  const key = `${prefix}_${randomBytes(secretBytes).toString("base64url")}`;
  return { key, prefix, hash: hashSecret(key) };
}

/** The part that finds the key; undefined if this cannot be one. */
export function prefixOf(key: string): string | undefined {
  return shape.exec(key)?.[1];
}

export function hashSecret(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

/** Takes as long whether they differ early, late or not at all. */
export function isSameHash(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
