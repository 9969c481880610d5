/** Tesseract's data for a language, from a file that may be gzipped. */
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";

export async function readLanguage(file: string): Promise<Uint8Array> {
  const data = await readFile(file);
  return data[0] === 0x1f && data[1] === 0x8b ? promisify(gunzip)(data) : data;
}
