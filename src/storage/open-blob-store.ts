/** Opens the store that the settings name. The SDKs are loaded only where they are used: they take a while to start. */
import type { BlobStore } from "./blob-store.ts";
import type { AzureStoreOptions } from "./open-azure-store.ts";
import { type FolderStoreOptions, openFolderStore } from "./open-folder-store.ts";
import type { S3StoreOptions } from "./open-s3-store.ts";

export type BlobStoreOptions =
  | ({ kind: "folder" } & FolderStoreOptions)
  | ({ kind: "s3" } & S3StoreOptions)
  | ({ kind: "azure" } & AzureStoreOptions);

export async function openBlobStore(options: BlobStoreOptions): Promise<BlobStore> {
  switch (options.kind) {
    case "folder":
      return openFolderStore(options);
    case "s3": {
      const { openS3Store } = await import("./open-s3-store.ts");
      return openS3Store(options);
    }
    case "azure": {
      const { openAzureStore } = await import("./open-azure-store.ts");
      return openAzureStore(options);
    }
  }
}
