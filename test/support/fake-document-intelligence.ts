/**
 * Plays Azure Document Intelligence: takes a file, names an operation, and has its result after a few polls. Results are
 * the test's own, or made from the size of the file. Submitting is what is paid for; polling is free.
 */
import { createHash } from "node:crypto";
import {
  type FakeAnswer,
  type FakeService,
  type Plan,
  type ServiceRequestSeen,
  startFakeService,
} from "./fake-service.ts";

export interface Upload {
  model: string;
  sha256: string;
  size: number;
  /** Those asked for. */
  pages: number[];
}

export interface FakeDocumentIntelligenceOptions {
  /** Also `{ wrong }`: failed and invalid (of a poll), no-location (of a submission). */
  plan?: Plan;
  port?: number;
  apiKey?: string;
  /** How often an operation says `running` first. */
  pollsUntilDone?: number;
  /** Headers with which it says so: a Retry-After. */
  pollHeaders?: Record<string, string>;
  /** The `analyzeResult` for a file. */
  analyse?: (upload: Upload) => unknown;
}

export interface FakeDocumentIntelligence extends FakeService {
  /** Files taken and paid for, with how often. */
  uploads(): (Upload & { times: number })[];
  /** Forgets all operations, as the service does after a day. */
  forget(): void;
}

export async function startFakeDocumentIntelligence(
  options: FakeDocumentIntelligenceOptions = {},
): Promise<FakeDocumentIntelligence> {
  const operations = new Map<string, { upload: Upload; polls: number }>();
  const taken: Upload[] = [];
  const service = await startFakeService({
    plan: options.plan,
    port: options.port,
    refuse: (request) => refuse(request, options),
    answer: (request, wrong) =>
      request.method === "POST" ? submit(request, wrong) : { ...poll(request, wrong), free: true },
  });

  function submit({ path, query, body, headers }: ServiceRequestSeen, wrong: string | undefined): FakeAnswer {
    const upload: Upload = {
      model: /documentModels\/([^:]+):analyze/.exec(path)?.[1] ?? "",
      sha256: createHash("sha256").update(body).digest("hex"),
      size: body.length,
      pages: readPages(query.get("pages")),
    };
    taken.push(upload);
    const id = `operation-${taken.length}`;
    operations.set(id, { upload, polls: 0 });
    const location = `http://${headers.host}${path.replace(":analyze", `/analyzeResults/${id}`)}?api-version=${query.get("api-version")}`;
    return { status: 202, headers: wrong === "no-location" ? {} : { "operation-location": location }, body: "" };
  }

  function poll({ path }: ServiceRequestSeen, wrong: string | undefined): FakeAnswer {
    const operation = operations.get(path.slice(path.lastIndexOf("/") + 1));
    if (!operation) return problem(404, "NotFound", "Resource not found.");
    const times = { createdDateTime: "2040-01-01T00:00:00Z", lastUpdatedDateTime: "2040-01-01T00:00:01Z" };
    if (wrong === "failed" || wrong === "invalid") {
      const code = wrong === "failed" ? "InternalServerError" : "InvalidContent";
      return { body: { ...times, status: "failed", error: { code, message: "It did not work." } } };
    }
    if (operation.polls++ < (options.pollsUntilDone ?? 1)) {
      const status = operation.polls === 1 ? "notStarted" : "running";
      return { headers: options.pollHeaders ?? { "retry-after": "0" }, body: { ...times, status } };
    }
    const analyzeResult = (options.analyse ?? describeUpload)(operation.upload);
    return { body: { ...times, status: "succeeded", analyzeResult } };
  }

  return {
    ...service,
    uploads() {
      const counted = new Map<string, Upload & { times: number }>();
      for (const upload of taken) {
        const key = `${upload.model} ${upload.sha256} ${upload.pages}`;
        counted.set(key, { ...upload, times: (counted.get(key)?.times ?? 0) + 1 });
      }
      return [...counted.values()];
    },
    forget: () => operations.clear(),
  };
}

function refuse({ method, path, query, headers }: ServiceRequestSeen, { apiKey }: FakeDocumentIntelligenceOptions) {
  const known =
    method === "POST"
      ? /^\/(documentintelligence|formrecognizer)\/documentModels\/[\w.-]+:analyze$/
      : /^\/(documentintelligence|formrecognizer)\/documentModels\/[\w.-]+\/analyzeResults\/[\w-]+$/;
  if (!known.test(path) || !query.get("api-version")) return problem(404, "NotFound", `no ${method} ${path}`);
  const key = headers["ocp-apim-subscription-key"];
  if (apiKey && key !== apiKey) return problem(401, "401", `Access denied due to invalid subscription key ${key}.`);
  return undefined;
}

function problem(status: number, code: string, message: string): FakeAnswer {
  return { status, body: { error: { code, message } } };
}

function readPages(pages: string | null): number[] {
  if (!pages) return [1];
  return pages.split(",").flatMap((part) => {
    const [from = 1, to = from] = part.split("-").map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
}

/** A page of a title, a sentence, a table and a key with its value, for every page asked for. */
export function describeUpload({ size, pages, model }: Upload): object {
  let content = "";
  const pieces: Piece[] = [];
  const write = (page: number, line: number, text: string, column = 0) => {
    const piece = {
      text,
      page,
      offset: content.length,
      polygon: polygonAt(1 + column * 2, 1 + line * 0.4, text.length * 0.08),
    };
    content += `${text}\n`;
    pieces.push(piece);
    return piece;
  };
  const paragraphs: object[] = [];
  const tables: object[] = [];
  const keyValuePairs: object[] = [];
  for (const page of pages) {
    paragraphs.push({
      ...passage(write(page, 0, `Part ${page} of a file`)),
      role: page === 1 ? "title" : "sectionHeading",
    });
    paragraphs.push(passage(write(page, 1, `This file of ${size} bytes was analysed on page ${page}.`)));
    const cells = ["Page", "Bytes", `${page}`, `${size}`].map((text, index) => {
      const row = Math.floor(index / 2);
      const cell = passage(write(page, 2 + row, text, index % 2));
      return { ...cell, rowIndex: row, columnIndex: index % 2, ...(row === 0 && { kind: "columnHeader" }) };
    });
    paragraphs.push(
      ...cells.map(({ content: text, boundingRegions, spans }) => ({ content: text, boundingRegions, spans })),
    );
    const spans = cells.flatMap((cell) => cell.spans);
    const region = { pageNumber: page, polygon: [1, 1.8, 5, 1.8, 5, 2.4, 1, 2.4] };
    tables.push({ rowCount: 2, columnCount: 2, cells, boundingRegions: [region], spans });
    const key = passage(write(page, 5, "File size:"));
    const value = passage(write(page, 5, `${size} bytes`, 1));
    paragraphs.push(key, value);
    keyValuePairs.push({ key, value, confidence: 0.9 });
  }
  return {
    apiVersion: "2024-11-30",
    modelId: model,
    stringIndexType: "utf16CodeUnit",
    content,
    contentFormat: "text",
    pages: pages.map((pageNumber) => ({
      pageNumber,
      angle: 0,
      width: 8.5,
      height: 11,
      unit: "inch",
      words: pieces.filter(({ page }) => page === pageNumber).flatMap(toWords),
      spans: [],
    })),
    paragraphs,
    tables,
    keyValuePairs,
  };
}

interface Piece {
  text: string;
  page: number;
  offset: number;
  polygon: number[];
}

function passage({ text, page, offset, polygon }: Piece) {
  const spans = [{ offset, length: text.length }];
  return { content: text, boundingRegions: [{ pageNumber: page, polygon }], spans };
}

function toWords({ text, offset, polygon: [x = 0, y = 0] }: Piece): object[] {
  return [...text.matchAll(/\S+/g)].map((found) => ({
    content: found[0],
    polygon: polygonAt(x + found.index * 0.08, y, found[0].length * 0.08),
    confidence: 0.98,
    span: { offset: offset + found.index, length: found[0].length },
  }));
}

function polygonAt(x: number, y: number, width: number): number[] {
  return [x, y, x + width, y, x + width, y + 0.18, x, y + 0.18];
}
