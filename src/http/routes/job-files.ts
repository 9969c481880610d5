/** The files that jobs of a user's own pipelines have written. */
import { DocmillError } from "../../errors.ts";
import type { Engine } from "../../jobs/engine.ts";
import { readJob } from "../../jobs/read-jobs.ts";
import type { BlobStore } from "../../storage/blob-store.ts";
import { jobFileKey, listJobFiles } from "../../storage/job-files.ts";
import { routeOf } from "../operation-route.ts";
import type { App } from "../routing.ts";
import { sendBlob } from "../send-blob.ts";

export function jobFileRoutes(app: App, engine: Engine, blobs: BlobStore): void {
  app.openapi(routeOf("listJobFiles"), async (c) => {
    const { id } = await readJob(engine, c.req.valid("param").id);
    return c.json({ items: await listJobFiles(blobs, id), nextCursor: null }, 200);
  });

  app.openapi(routeOf("readJobFile"), async (c) => {
    const { id, name } = c.req.valid("param");
    const key = jobFileKey(id, name);
    const stored = await blobs.stat(key);
    if (!stored) throw new DocmillError("NOT_FOUND", `Job ${id} has no file ${name}.`);
    const { size, modifiedAt } = stored;
    const etag = `${modifiedAt.getTime().toString(36)}-${size.toString(36)}`;
    const contentType = "application/octet-stream";
    // What is sent as it is stored has no form the framework could check.
    return sendBlob(c, blobs, { key, size, contentType, filename: name, etag }) as never;
  });
}
