/**
 * Blobs in S3 or anything that speaks its protocol. An upload that is given up is aborted, so that its parts are not paid
 * for; those of a process that was killed are left to the bucket's own rule (AbortIncompleteMultipartUpload).
 */
import { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { TerminalError } from "../errors.ts";
import { checkBlobKey, checkBlobPrefix, checkRange, isBlobKey, toKeyRoot } from "./blob-key.ts";
import type { BlobStore } from "./blob-store.ts";
import { checkBlobStore } from "./check-blob-store.ts";
import { eachAtOnce } from "./each-at-once.ts";
import { guardRead } from "./guard-read.ts";
import { type PartsTarget, putInParts } from "./put-in-parts.ts";
import { blobNotFound, codeOf, remoteError } from "./storage-errors.ts";
import { openTemporaryCopies } from "./temporary-copies.ts";

export interface S3StoreOptions {
  bucket: string;
  /** Put before every key, with a slash between. */
  prefix?: string;
  region?: string;
  /** For services other than AWS. */
  endpoint?: string;
  /** Without them the SDK looks where it always does: environment, profile, container, instance. */
  accessKeyId?: string;
  secretAccessKey?: string;
  /** The bucket in the path instead of the host name; the default where an endpoint is given. */
  forcePathStyle?: boolean;
  /** Where copies of blobs lie while they are used as files. */
  tempDir?: string;
}

export async function openS3Store(options: S3StoreOptions): Promise<BlobStore> {
  const { bucket: Bucket, endpoint, accessKeyId, secretAccessKey } = options;
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined)) {
    throw new TerminalError("INVALID_STORAGE_OPTIONS", "An S3 access key and its secret are needed together.");
  }
  const copies = await openTemporaryCopies(options.tempDir);
  const client = new S3Client({
    region: options.region ?? (endpoint === undefined ? undefined : "us-east-1"),
    endpoint,
    forcePathStyle: options.forcePathStyle ?? endpoint !== undefined,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
    // Many services that speak S3 do not know the newer checksums, or store them as part of the body.
    ...(endpoint === undefined
      ? {}
      : { requestChecksumCalculation: "WHEN_REQUIRED", responseChecksumValidation: "WHEN_REQUIRED" }),
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: 5_000,
      // Until the answer begins; a part takes a while on a slow line.
      requestTimeout: 120_000,
      throwOnRequestTimeout: true,
      // It would also end a body whose reader takes its time; guardRead watches bodies instead.
      socketTimeout: 0,
    },
  });
  const root = toKeyRoot(options.prefix);
  const place = `s3://${Bucket}/${root}${endpoint === undefined ? "" : ` at ${withoutSecrets(endpoint)}`}`;
  const translate = (error: unknown) => remoteError(error, failureOf(error), { place, what: "the bucket" });
  const objectOf = (key: string) => {
    checkBlobKey(key);
    return { Bucket, Key: root + key };
  };

  const store: Omit<BlobStore, "check"> = {
    place,

    async put(key, source, { contentType, signal } = {}) {
      const target = toTarget(client, { ...objectOf(key), ContentType: contentType });
      return putInParts(target, source, signal, translate);
    },

    async get(key, { start = 0, end, signal } = {}) {
      const object = objectOf(key);
      checkRange({ start, end });
      signal?.throwIfAborted();
      const Range = start === 0 && end === undefined ? undefined : `bytes=${start}-${end ?? ""}`;
      try {
        const { Body } = await client.send(new GetObjectCommand({ ...object, Range }), { abortSignal: signal });
        return guardRead(Body as Readable, { signal, translate });
      } catch (error) {
        signal?.throwIfAborted();
        const { status, code } = failureOf(error);
        // A range that begins behind the end: as in a file, there is nothing to read.
        if (status === 416) return Readable.from([]);
        throw code === "NoSuchKey" ? blobNotFound(key, error) : translate(error);
      }
    },

    async stat(key) {
      try {
        const found = await client.send(new HeadObjectCommand(objectOf(key)));
        return { key, size: found.ContentLength ?? 0, modifiedAt: found.LastModified ?? new Date(0) };
      } catch (error) {
        if (failureOf(error).status === 404) return undefined;
        throw translate(error);
      }
    },

    async delete(keys) {
      // One by one: not every service has the request that deletes many, or accepts its checksum.
      await eachAtOnce(keys.map(objectOf), 16, async (object) => {
        try {
          await client.send(new DeleteObjectCommand(object));
        } catch (error) {
          if (failureOf(error).code !== "NoSuchKey") throw translate(error);
        }
      });
    },

    async *list(prefix) {
      checkBlobPrefix(prefix);
      try {
        for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix: root + prefix })) {
          for (const { Key = "", Size = 0, LastModified = new Date(0) } of page.Contents ?? []) {
            const key = Key.slice(root.length);
            if (isBlobKey(key)) yield { key, size: Size, modifiedAt: LastModified };
          }
        }
      } catch (error) {
        throw translate(error);
      }
    },

    withFile: (key, use, signal) => copies.withCopy(key, () => store.get(key, { signal }), use),

    async close() {
      client.destroy();
    },
  };

  return { ...store, check: () => checkBlobStore(store) };
}

function toTarget(client: S3Client, object: { Bucket: string; Key: string; ContentType?: string }): PartsTarget {
  const { Bucket, Key } = object;
  return {
    maxParts: 10_000,
    async putWhole(bytes) {
      await client.send(new PutObjectCommand({ ...object, Body: bytes }));
    },
    async begin(signal) {
      const { UploadId } = await client.send(new CreateMultipartUploadCommand(object), { abortSignal: signal });
      const upload = { Bucket, Key, UploadId };
      const sent: { PartNumber: number; ETag: string | undefined }[] = [];
      return {
        async putPart(PartNumber, Body, abortSignal) {
          const { ETag } = await client.send(new UploadPartCommand({ ...upload, PartNumber, Body }), { abortSignal });
          sent.push({ PartNumber, ETag });
        },
        async commit() {
          const Parts = sent.sort((one, other) => one.PartNumber - other.PartNumber);
          await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
        },
        async discard() {
          // What made the upload fail may make this fail too; the bucket's own rule is the second net.
          await client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
        },
      };
    },
  };
}

function failureOf(error: unknown): { status: number | undefined; code: string | undefined } {
  if (error instanceof S3ServiceException) {
    return { status: error.$metadata.httpStatusCode, code: error.name };
  }
  const name = error instanceof Error ? error.name : undefined;
  // No service was asked: the SDK found no credentials anywhere.
  if (name === "CredentialsProviderError") return { status: 401, code: "no credentials were found" };
  return { status: undefined, code: codeOf(error) ?? name };
}

function withoutSecrets(endpoint: string): string {
  return URL.canParse(endpoint) ? new URL(endpoint).origin : "its endpoint";
}
