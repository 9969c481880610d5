/** Every kind of store, each on a place of its own on this machine, for suites that run over all of them. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { BlobStore } from "../../src/storage/blob-store.ts";
import { openBlobStore } from "../../src/storage/open-blob-store.ts";
import { startAzure, startS3 } from "./blob-servers.ts";
import { type BreakingLink, openBreakingLink } from "./breaking-link.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "./temporary-folder.ts";

export interface StorePlace {
  store: BlobStore;
  /** The same place through a connection that can be broken; undefined for the folder. */
  weak?: { store: BlobStore; link: BreakingLink };
  /** Where copies of remote blobs lie while they are used. */
  tempDir: string;
  /** Whether anything is left of puts that came to nothing. */
  remainsLeft(): Promise<boolean>;
  close(): Promise<void>;
}

export const storeKinds = ["folder", "s3", "azure"] as const;

export async function openStorePlace(kind: (typeof storeKinds)[number]): Promise<StorePlace> {
  const folder = await makeTemporaryFolder();
  const tempDir = join(folder, "copies");
  const close: (() => Promise<void>)[] = [() => removeTemporaryFolder(folder)];
  const place = await openPlace();
  return {
    ...place,
    tempDir,
    async close() {
      for (const end of close.reverse()) await end();
    },
  };

  async function openPlace(): Promise<Pick<StorePlace, "store" | "weak" | "remainsLeft">> {
    switch (kind) {
      case "folder": {
        const root = join(folder, "blobs");
        return {
          store: await openBlobStore({ kind, folder: root }),
          remainsLeft: async () => (await readdir(join(root, ".incoming"))).length > 0,
        };
      }
      case "s3": {
        const server = await startS3(join(folder, "s3"));
        const link = await openBreakingLink(Number(new URL(server.endpoint).port));
        close.push(server.close, link.close);
        const { bucket, accessKeyId, secretAccessKey } = server;
        const open = (endpoint: string) =>
          openBlobStore({ kind, bucket, prefix: "some/where", endpoint, accessKeyId, secretAccessKey, tempDir });
        const [store, weak] = await Promise.all([open(server.endpoint), open(`http://127.0.0.1:${link.port}`)]);
        close.push(store.close, weak.close);
        return { store, weak: { store: weak, link }, remainsLeft: server.uploadsLeft };
      }
      case "azure": {
        const server = await startAzure();
        const link = await openBreakingLink(server.port);
        close.push(server.close, link.close);
        const open = (connectionString: string) =>
          openBlobStore({ kind, container: server.container, prefix: "some/where", connectionString, tempDir });
        const store = await open(server.connectionString);
        const weak = await open(server.connectionStringVia(link.port));
        close.push(store.close, weak.close);
        // Blocks that were not committed belong to no blob, and there is nothing to ask for them by.
        return { store, weak: { store: weak, link }, remainsLeft: async () => false };
      }
    }
  }
}
