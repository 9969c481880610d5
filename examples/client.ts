/** Uploads a file, follows it to its end and searches it: node examples/client.ts http://127.0.0.1:3001 report.pdf "payment terms" */
import { openAsBlob } from "node:fs";
import { basename } from "node:path";
import { createClient, DocmillApiError } from "docmill/client";

const [url = "http://127.0.0.1:3001", path = "README.md", words = "documents"] = process.argv.slice(2);
// A server that others can reach asks for a key: createClient({ url, key: "dm_…" }).
const client = createClient({ url });

try {
  const file = new File([await openAsBlob(path)], basename(path));
  // Under a key it is sent again when the server is busy, and is there once all the same.
  const taken = await client.uploadDocuments({ file }, { idempotencyKey: crypto.randomUUID() });
  for (const { id, filename } of [taken].flat()) {
    console.log(`${filename}: ${id}`);

    // Goes on over lost connections and restarts of the server, and ends when the document is done.
    for await (const { type, state, data } of client.watchDocument({ id })) {
      console.log(type, state?.status ?? data.stage ?? "");
    }

    const { status, chunkCount } = await client.readDocument({ id });
    console.log(`${status}, ${chunkCount} passages`);
    const { items } = await client.searchDocuments({ q: words, documentId: id, limit: 3 });
    for (const { page, snippet } of items) console.log(`page ${page ?? "–"}: ${snippet}`);
  }
} catch (error) {
  if (!(error instanceof DocmillApiError)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
}
