/** The code under which a sheet's result is shared: 8 characters that nobody guesses and everybody can read aloud. */
import { randomInt } from "node:crypto";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const length = 8;

export function newResultCode(): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join("");
}

export function isResultCode(text: string): boolean {
  return /^[0-9A-Za-z]{8}$/.test(text);
}
