/** What a store says when it cannot be used: one line that tells a person what to do, and a code for programs. */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openBlobStore } from "../../src/storage/open-blob-store.ts";
import { type AzureServer, type S3Server, startAzure, startS3 } from "../support/blob-servers.ts";
import { findClosedPort } from "../support/find-closed-port.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../support/temporary-folder.ts";
import { until } from "../support/until.ts";

let folder: string;
let s3: S3Server;
let azure: AzureServer;
let closedPort: number;
beforeAll(async () => {
  folder = await makeTemporaryFolder();
  [s3, azure, closedPort] = await Promise.all([startS3(folder), startAzure(), findClosedPort()]);
});
afterAll(async () => {
  await Promise.all([s3.close(), azure.close()]);
  await removeTemporaryFolder(folder);
});

const openS3 = (changes: object) => openBlobStore({ kind: "s3", ...s3, ...changes });
const openAzure = (changes: object) => openBlobStore({ kind: "azure", ...azure, ...changes });
const oneLine = expect.stringMatching(/^[^\n]+$/);

test("a bucket or container that does not exist is to be created", async () => {
  const missing = { code: "STORAGE_MISSING", retryable: false };
  const noBucket = await openS3({ bucket: "nowhere" });
  await expect(noBucket.check()).rejects.toMatchObject(missing);
  await expect(noBucket.check()).rejects.toThrow(/s3:\/\/nowhere\/.*create the bucket/);
  await expect(noBucket.get("a")).rejects.toMatchObject(missing);
  const noContainer = await openAzure({ container: "nowhere" });
  await expect(noContainer.check()).rejects.toMatchObject(missing);
  await expect(noContainer.check()).rejects.toThrow(/create the container/);
  await expect(noContainer.get("a")).rejects.toMatchObject(missing);
});

test("wrong credentials are said to be, without being repeated", async () => {
  const denied = { code: "STORAGE_DENIED", retryable: false, message: oneLine };
  const wrongS3 = await openS3({ accessKeyId: "someone", secretAccessKey: "hush-hush" });
  const wrongKey = Buffer.from("hush-hush").toString("base64");
  const wrongAzure = await openAzure({
    connectionString: azure.connectionString.replace(/AccountKey=[^;]+/, `AccountKey=${wrongKey}`),
  });
  for (const store of [wrongS3, wrongAzure]) {
    const failure: Error = await store.check().then(
      () => new Error("it could be used"),
      (error: Error) => error,
    );
    expect(failure).toMatchObject(denied);
    expect(failure.message).toMatch(/check the credentials/);
    expect(failure.message + store.place).not.toMatch(new RegExp(`hush|${wrongKey}|AccountKey`));
  }
});

test("a host that is not there may be tried again", async () => {
  const unreachable = { code: "STORAGE_UNAVAILABLE", retryable: true, message: oneLine };
  const noS3 = await openS3({ endpoint: `http://127.0.0.1:${closedPort}` });
  const noAzure = await openAzure({ connectionString: azure.connectionStringVia(closedPort) });
  for (const store of [noS3, noAzure]) {
    await expect(store.check()).rejects.toMatchObject(unreachable);
    await expect(store.check()).rejects.toThrow(/ECONNREFUSED.*check the endpoint/);
    await expect(store.get("a")).rejects.toMatchObject(unreachable);
    await expect(store.stat("a")).rejects.toMatchObject(unreachable);
    await expect(store.delete(["a"])).rejects.toMatchObject(unreachable);
    await expect(store.list("")[Symbol.asyncIterator]().next()).rejects.toMatchObject(unreachable);
  }
});

test("a host that takes requests and never answers may be tried again", async () => {
  let asked = 0;
  const silent = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      asked += 1;
    });
  }).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  const stores = [
    await openS3({ endpoint: `http://127.0.0.1:${port}` }),
    await openAzure({ connectionString: azure.connectionStringVia(port) }),
  ];
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    for (const store of stores) {
      const before = asked;
      let failure: unknown;
      store.stat("a").catch((error: unknown) => {
        failure = error;
      });
      await until(() => asked > before);
      await until(() => {
        vi.advanceTimersByTime(5_000);
        return failure;
      });
      expect(failure).toMatchObject({ code: "STORAGE_UNAVAILABLE", retryable: true });
    }
  } finally {
    vi.useRealTimers();
    for (const store of stores) await store.close();
    silent.close();
  }
});

test("settings that cannot be right are refused at once, without their secrets", async () => {
  const invalid = { code: "INVALID_STORAGE_OPTIONS", retryable: false };
  await expect(openS3({ secretAccessKey: undefined })).rejects.toMatchObject(invalid);
  await expect(openAzure({ connectionString: "AccountKey=hush-hush" })).rejects.toMatchObject(invalid);
  await expect(openAzure({ connectionString: "AccountKey=hush-hush" })).rejects.not.toThrow(/hush/);
});

test("a shared access signature is not part of the place", async () => {
  const store = await openAzure({
    connectionString: "BlobEndpoint=https://invented.blob.core.windows.net;SharedAccessSignature=sv=2024&sig=hush-hush",
  });
  expect(store.place).toBe("https://invented.blob.core.windows.net/blobs/");
});
