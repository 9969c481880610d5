/**
 * S3 and Azure Blob storage on this machine: s3rver and azurite, in this process, on ports of their own. s3rver keeps its
 * files in the folder given, azurite in memory.
 */
import { once } from "node:events";
import { readdir, rm } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

const require = createRequire(import.meta.url);

export interface S3Server {
  endpoint: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Whether uploads were begun and neither completed nor aborted. */
  uploadsLeft(): Promise<boolean>;
  close(): Promise<void>;
}

interface S3rver {
  configureBuckets(): Promise<void>;
  callback(): RequestListener;
  store: {
    listObjects(bucket: string, options: { prefix: string }): Promise<{ objects: S3Object[] }>;
  };
}

interface S3Object {
  key: string;
  size: number;
  lastModifiedDate: Date;
}

export async function startS3(folder: string): Promise<S3Server> {
  const bucket = "blobs";
  const S3rver = require("s3rver") as new (options: object) => S3rver;
  const s3rver = new S3rver({ directory: folder, silent: true, configureBuckets: [{ name: bucket }] });
  await s3rver.configureBuckets();
  const answer = s3rver.callback();
  const uploads = join(folder, bucket, "._S3rver_uploads");
  const server = await listen((request, response) => {
    const url = new URL(request.url ?? "/", "http://s3");
    const upload = url.searchParams.get("uploadId");
    const fail = (error: Error) => response.writeHead(500).end(error.message);
    if (request.method === "DELETE" && upload) {
      // s3rver lacks AbortMultipartUpload.
      rm(join(uploads, upload.replace(/\W/g, "")), { recursive: true, force: true })
        .then(() => response.writeHead(204).end())
        .catch(fail);
    } else if (
      request.method === "GET" &&
      url.pathname.replace(/\/$/, "") === `/${bucket}` &&
      url.searchParams.has("list-type")
    ) {
      // s3rver lists in no order, and its tokens need a cipher that is no longer there.
      const prefix = url.searchParams.get("prefix") ?? "";
      s3rver.store
        .listObjects(bucket, { prefix })
        .then(({ objects }) => response.end(toListXml(objects, url.searchParams.get("continuation-token"))))
        .catch(fail);
    } else answer(request, response);
  });
  return {
    endpoint: urlOf(server),
    bucket,
    accessKeyId: "S3RVER",
    secretAccessKey: "S3RVER",
    uploadsLeft: () => hasEntries(uploads),
    close: () => closeServer(server),
  };
}

/** One page of at most a thousand, as S3 writes it; keys of blobs need no escaping. */
function toListXml(objects: readonly S3Object[], token: string | null): string {
  const after = token ? Buffer.from(token, "base64url").toString() : "";
  const rest = objects.filter(({ key }) => key > after).sort((one, other) => (one.key < other.key ? -1 : 1));
  const page = rest.slice(0, 1_000);
  const contents = page.map(
    ({ key, size, lastModifiedDate }) =>
      `<Contents><Key>${key}</Key><Size>${size}</Size><LastModified>${lastModifiedDate.toISOString()}</LastModified></Contents>`,
  );
  const next = Buffer.from(page.at(-1)?.key ?? "").toString("base64url");
  const more = rest.length > page.length;
  const end = more ? `<NextContinuationToken>${next}</NextContinuationToken>` : "";
  return `<ListBucketResult><IsTruncated>${more}</IsTruncated>${contents.join("")}${end}</ListBucketResult>`;
}

export interface AzureServer {
  connectionString: string;
  /** The same account, reached through another port. */
  connectionStringVia(port: number): string;
  port: number;
  container: string;
  close(): Promise<void>;
}

export async function startAzure(): Promise<AzureServer> {
  const { default: Configuration } = require("azurite/dist/src/blob/BlobConfiguration.js");
  const { default: BlobServer } = require("azurite/dist/src/blob/BlobServer.js");
  const configuration = new Configuration("127.0.0.1", 0, undefined, "", "", [], false);
  Object.assign(configuration, { isMemoryPersistence: true, skipApiVersionCheck: true });
  const server = new BlobServer(configuration) as {
    start(): Promise<void>;
    close(): Promise<void>;
    getHttpServerAddress(): string;
  };
  await server.start();
  const port = Number(new URL(server.getHttpServerAddress()).port);
  // The account that every azurite has; its key is in its documentation.
  const account = "devstoreaccount1";
  const key = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";
  const connectionStringVia = (through: number) =>
    `DefaultEndpointsProtocol=http;AccountName=${account};AccountKey=${key};BlobEndpoint=http://127.0.0.1:${through}/${account};`;
  const container = "blobs";
  const { BlobServiceClient } = await import("@azure/storage-blob");
  await BlobServiceClient.fromConnectionString(connectionStringVia(port)).createContainer(container);
  return {
    connectionString: connectionStringVia(port),
    connectionStringVia,
    port,
    container,
    close: () => server.close(),
  };
}

async function listen(listener: RequestListener): Promise<Server> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function closeServer(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, "close");
}

async function hasEntries(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  return names.length > 0;
}
