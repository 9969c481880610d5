/** Requests that nobody sends by accident, and some that one does: a clear refusal each, and never an error of the server. */
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DocumentList, SearchAnswer } from "../../src/contract/documents.ts";
import { sql } from "../../src/db/sql.ts";
import { startHttpServer } from "../../src/http/server.ts";
import { type DocumentPlace, openDocumentPlace } from "../support/document-place.ts";
import { drawPdf } from "../support/sample-pdfs.ts";
import { silentLogger } from "../support/silent-logger.ts";
import { until } from "../support/until.ts";

let place: DocumentPlace;
let pdf: string;
let note: string;

beforeAll(async () => {
  place = await openDocumentPlace();
  await place.startWorker();
  const drawn = await drawPdf((page) => page.text("One page about a quiet lagoon."));
  const text = "Warped planks \uE000 <b>creak</b> in the boathouse \uE001 & nobody minds.";
  pdf = (await place.upload({ name: "lagoon.pdf", bytes: drawn })).id;
  note = (await place.upload({ name: "planks.txt", bytes: Buffer.from(text) })).id;
  for (const id of [pdf, note]) await place.reaches(id, ({ status }) => status === "Ready");
});

afterAll(() => place.close());

const nothing = "00000000-0000-4000-8000-000000000000";
const cursor = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString("base64url");

function upload(name: string, text: string, { fields = {}, headers = {} }: { fields?: object; headers?: object } = {}) {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append("file", new Blob([text]), name);
  return place.ask("/api/documents", { method: "POST", body: form, headers: { ...headers } });
}

describe("what the database cannot hold or read", () => {
  it.each([
    "/api/documents?q=%00",
    "/api/documents?format=%00",
    "/api/search?q=a%00b",
    "/api/search?q=a&format=%00",
    `/api/documents?cursor=${cursor("2026-99-99T99:99:99.000Z", nothing)}`,
    `/api/documents?cursor=${cursor("0000-00-00T00:00:00.000Z", nothing)}`,
    `/api/documents?sort=name&cursor=${cursor("a\0", nothing)}`,
    `/api/search?q=a&cursor=${cursor(1e9)}`,
    `/api/documents/${nothing}/chunks?cursor=${cursor(1e12)}`,
  ])("is refused in %s", async (path) => {
    expect(await place.ask(path)).toMatchObject({ status: 400, body: { message: expect.any(String) } });
  });

  it("is refused in a title, and nothing of the upload stays", async () => {
    await place.atRest();
    const before = await place.files();
    const refused = await upload("a.txt", "some text", { fields: { title: "a\0b" } });
    expect(refused).toMatchObject({ status: 422, body: { error: "INVALID_REQUEST" } });
    expect(await place.files()).toEqual(before);
  });
});

describe("a url with a password", () => {
  it("is refused before it is stored", async () => {
    const url = "http://me:hidden@example.com/a.pdf";
    const refused = await place.post("/api/documents/from-url", { url });
    expect(refused).toMatchObject({ status: 422, body: { error: "INVALID_REQUEST" } });
    expect(await place.db.query(sql`select from documents where source_url = ${url}`)).toEqual([]);
  });
});

describe("a name", () => {
  it("is shown as it is meant: decoded, and without what turns the direction of writing", async () => {
    const { body } = await place.post("/api/documents/from-url", { url: "http://127.0.0.1:1/A%20caf%C3%A9.pdf" });
    expect(body.filename).toBe("A café.pdf");
    expect((await upload("harmless\u202Egpj.txt", "some text")).body.filename).toBe("harmlessgpj.txt");
  });
});

describe("an Idempotency-Key", () => {
  it("whose document was deleted says so", async () => {
    const headers = { "idempotency-key": "taken and deleted" };
    const { body } = await upload("brief.txt", "A brief stay.", { headers });
    expect(await place.ask(`/api/documents/${body.id}`, { method: "DELETE" })).toMatchObject({ status: 204 });
    const again = await upload("brief.txt", "A brief stay.", { headers });
    expect(again).toMatchObject({ status: 410, body: { error: "DOCUMENT_DELETED" } });
    expect(await place.files(body.id)).toEqual([]);
  });

  it("has a document read again once, however often it is asked for", async () => {
    const path = `/api/documents/${note}/reprocess`;
    const ask = (body?: string) =>
      place.ask(path, {
        method: "POST",
        headers: { "idempotency-key": "read again", ...(body && { "content-type": "application/json" }) },
        body,
      });
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask()));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ body }) => body.jobId)).size).toBe(1);
    await place.reaches(note, ({ status }) => status === "Ready");
    expect((await ask()).body).toMatchObject({ generation: 2, jobId: answers[0]?.body.jobId });
    expect(await ask('{"options":{"ocr":"never"}}')).toMatchObject({
      status: 422,
      body: { error: "IDEMPOTENCY_KEY_REUSED" },
    });
    expect((await place.jobs(note)).filter(({ kind }) => kind === "document")).toHaveLength(2);
  });
});

describe("files", () => {
  it("come with a policy under which nothing in them runs", async () => {
    const response = await fetch(`${place.url}/api/documents/${note}/file`);
    await response.body?.cancel();
    expect(response.headers.get("content-security-policy")).toContain("sandbox");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("are not sent again to who has them, in whatever way that is said", async () => {
    const path = `${place.url}/api/documents/${note}/file`;
    const etag = (await fetch(path, { method: "HEAD" })).headers.get("etag") as string;
    const statuses = await Promise.all(
      [etag, `W/${etag}`, `"other", ${etag}`, "*", '"other"'].map(async (tag) => {
        const response = await fetch(path, { headers: { "if-none-match": tag } });
        await response.body?.cancel();
        return response.status;
      }),
    );
    expect(statuses).toEqual([304, 304, 304, 304, 200]);
  });

  it("say how long they are to who asks for bytes beyond the end", async () => {
    const response = await fetch(`${place.url}/api/documents/${note}/file`, { headers: { range: "bytes=5000-" } });
    expect([response.status, response.headers.get("content-range")]).toEqual([
      416,
      expect.stringMatching(/^bytes \*\/\d+$/),
    ]);
    await response.body?.cancel();
  });

  it("that were not fetched are not there yet, which is not the same as no document", async () => {
    const { body } = await place.post("/api/documents/from-url", { url: "http://127.0.0.1:1/far.pdf" });
    expect(await place.ask(`/api/documents/${body.id}/file`)).toMatchObject({
      status: 409,
      body: { error: "NOT_READY" },
    });
    expect(await place.ask(`/api/documents/${nothing}/file`)).toMatchObject({ status: 404 });
  });

  it("have no page beyond the last", async () => {
    expect(await place.ask(`/api/documents/${pdf}/pages/2/image`)).toMatchObject({ status: 404 });
  });
});

describe("search", () => {
  it("marks what was found and escapes the rest, whatever characters the text has", async () => {
    const { body } = await place.ask("/api/search?mode=text&q=boathouse");
    const [hit] = SearchAnswer.parse(body).items;
    expect(hit?.snippet).toContain("<mark>boathouse</mark>");
    expect(hit?.snippet.replaceAll(/<mark>[^<]*<\/mark>/g, "")).not.toMatch(/[<>]/);
  });

  it.each(["the of and", "!!!", '"open', "a & | ! <-> b", "'; drop table documents; --", "x".repeat(1_000), "日本語"])(
    "takes %j",
    async (q) => {
      for (const mode of ["hybrid", "text", "meaning"]) {
        const { status, body } = await place.ask(`/api/search?mode=${mode}&q=${encodeURIComponent(q)}`);
        expect([mode, status]).toEqual([mode, 200]);
        SearchAnswer.parse(body);
      }
    },
  );

  it("goes by words where the service for meanings does not answer, and says so where nothing else was wanted", async () => {
    const refusal = { status: 401, body: { error: { message: "wrong key" } } };
    place.openAi.plan(refusal, refusal);
    const words = await place.ask("/api/search?q=unheard+boathouse");
    expect(words).toMatchObject({
      status: 200,
      body: { items: [{ document: { id: note }, matched: ["text"] }], notice: expect.stringContaining("words alone") },
    });
    const meaning = await place.ask("/api/search?mode=meaning&q=unheard+boathouse");
    expect(meaning).toMatchObject({
      status: 503,
      body: { error: "EMBEDDINGS_UNAVAILABLE", message: expect.stringContaining("mode=text") },
    });
  });
});

describe("a list by name", () => {
  it("has every document once, page by page, also where letters are not plain", async () => {
    const names = ["Ärger.txt", "ärger.txt", "Zebra.txt", "zebra.txt", "İzmir.txt", "straße.txt", "Éclair.txt"];
    for (const name of names) await upload(name, `About ${name}.`);
    const seen: string[] = [];
    for (let next: string | null = ""; next !== null; ) {
      const { body } = await place.ask(`/api/documents?sort=name&limit=1${next && `&cursor=${next}`}`);
      const page = DocumentList.strict().parse(body);
      seen.push(...page.items.map(({ filename }) => filename));
      next = page.nextCursor;
    }
    expect(seen.filter((name) => names.includes(name)).sort()).toEqual([...names].sort());
    expect((await place.ask(`/api/documents?q=${encodeURIComponent("Ärg")}`)).body.items.length).toBeGreaterThan(0);
  });
});

describe("an upload", () => {
  const boundary = "hostile";
  const head = (name: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;

  /** Sends the beginning of a form and no more, and answers what came back. */
  function sendBeginning(port: number, text: string, until: "answer" | "close"): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: "127.0.0.1", port });
      let answer = "";
      socket.on("data", (data) => {
        answer += data;
        if (until === "close" || !answer.includes("}")) return;
        socket.destroy();
        resolve(answer);
      });
      socket.on("error", reject).on("close", () => resolve(answer));
      socket.write(
        `POST /api/documents HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\ncontent-type: multipart/form-data; boundary=${boundary}\r\n\r\n${text}`,
      );
    });
  }

  it("is refused for its first file while its second is still coming", async () => {
    await place.atRest();
    const before = await place.files();
    const bad = `${head("bad.txt")}\x7fELF\x02\x01\x01\x00\x00\x00\r\n`;
    const answer = await sendBeginning(
      Number(new URL(place.url).port),
      `${bad}${head("slow.txt")}The second begins`,
      "answer",
    );
    expect(answer).toContain("415 Unsupported Media Type");
    expect(await place.files()).toEqual(before);
  });

  it("whose fields are too many is refused rather than read in part", async () => {
    const fields = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`field${index}`, "x"]));
    const refused = await upload("a.txt", "text", { fields: { ...fields, title: "The sixty-first" } });
    expect(refused).toMatchObject({ status: 400, body: { error: "INVALID_FORM" } });
  });

  it("that stands still is ended, and leaves nothing", async () => {
    await place.atRest();
    const before = await place.files();
    const { engine, events, documents } = place.runtime;
    const impatient = await startHttpServer({
      engine,
      events,
      documents,
      logger: silentLogger,
      host: "127.0.0.1",
      port: 0,
      idleMs: 300,
    });
    try {
      await sendBeginning(impatient.port, `${head("still.txt")}${"A line. ".repeat(10_000)}`, "close");
      await until(async () => JSON.stringify(await place.files()) === JSON.stringify(before));
    } finally {
      await impatient.close();
    }
  });
});
