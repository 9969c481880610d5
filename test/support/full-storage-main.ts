/**
 * A store on a full disk, run as root in a mount namespace of its own, so that the small disk it mounts is gone with it.
 * Prints as JSON what came of it.
 */
import { execFileSync } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { openBlobStore } from "../../src/storage/open-blob-store.ts";
import { inChunks } from "./test-bytes.ts";

const disk = process.argv[2] as string;
execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", disk]);
const store = await openBlobStore({ kind: "folder", folder: disk });
const failed = await store
  .put("large", inChunks(Buffer.alloc(3_000_000)))
  .catch(({ code, retryable }: { code: string; retryable: boolean }) => ({ code, retryable }));
const left = await readdir(join(disk, ".incoming"));
const fits = await store.put("small", inChunks(Buffer.alloc(500_000)));
console.log(JSON.stringify({ failed, left, fits }));
