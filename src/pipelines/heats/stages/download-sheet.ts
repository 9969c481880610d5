/** First stage, of urls only: the file is fetched into storage under the guard, unless what comes is no PDF. */
import { downloadUrl } from "../../../download/fetch-url.ts";
import { type StageContext, sql } from "../../../jobs/index.ts";
import { downloadKey } from "../blob-keys.ts";
import type { HeatServices } from "../heat-services.ts";
import { findSource } from "../queries/find-source.ts";
import type { SheetInput } from "../sheet-input.ts";
import { inStage } from "../sheet-stage.ts";
import { storePdf } from "../store-pdf.ts";

export function downloadSheet({ db, blobs, limits }: Pick<HeatServices, "db" | "blobs" | "limits">) {
  return async ({ input, job, signal, progress, commit, skip }: StageContext<SheetInput, object>) => {
    if (input.url === undefined) return skip({ downloaded: false });
    const { batchId, sequence } = await findSource(db, job.id);
    await progress(inStage("downloading", `Downloading ${input.filename}`));
    const { maxPdfBytes: maxBytes, fetchTimeoutMs: timeoutMs, fetchAllow: allow } = limits;
    const accept = "application/pdf, */*;q=0.5";
    const download = await downloadUrl(input.url, { signal, maxBytes, timeoutMs, allow, accept });
    const filename = download.filename ?? input.filename;
    const key = downloadKey(batchId, sequence, job.lease);
    const stored = await storePdf(download.body, { blobs, key, filename, maxBytes, signal });
    return commit(async (tx) => {
      await tx.query(sql`
        update heat_sources set filename = ${filename}, blob_key = ${stored.blobKey}, size = ${stored.size}, sha256 = ${stored.sha256}
        where job_id = ${job.id}`);
      return { downloaded: true };
    });
  };
}
