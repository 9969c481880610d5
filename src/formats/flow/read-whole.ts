/** The bytes of a file that is read in one piece, unless it is too large for that. */
import { readFile, stat } from "node:fs/promises";
import { TerminalError } from "../../errors.ts";
import type { FlowLimits } from "./flow-limits.ts";

export async function readWhole(path: string, limits: FlowLimits): Promise<Uint8Array> {
  const { size } = await stat(path);
  if (size > limits.maxFileBytes) {
    throw new TerminalError("FILE_TOO_LARGE", `The file has ${size} bytes.`, {
      details: { bytes: size, limit: limits.maxFileBytes },
    });
  }
  return readFile(path);
}
