/**
 * Scans on their way into a book. The book is held before anything is stored, so that whatever is refused, cut off or killed
 * leaves no file, no page and no row; and nobody who comes back from the dead touches what others have stored since.
 */
import { connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { sweepBooks } from "../../src/pipelines/books/sweep-books.ts";
import { type BookClient, openBookClient } from "../support/book-client.ts";
import { listStored, listTraces, readBookFiles, readMetadata } from "../support/book-traces.ts";
import { startServe } from "../support/docmill-process.ts";
import { type DocumentPlace, openDocumentPlace, type SampleFile } from "../support/document-place.ts";
import { drawPage, drawTiff, drawTurnedPage, samplePage, samplePages } from "../support/sample-pages.ts";
import { until } from "../support/until.ts";

let place: DocumentPlace;
let client: BookClient;
let page: SampleFile;

beforeAll(async () => {
  place = await openDocumentPlace({
    settings: { DOCMILL_MAX_IMAGE_MB: "1", DOCMILL_MAX_PAGES: "4", DOCMILL_EMBEDDINGS: "local" },
  });
  client = openBookClient(place.url);
  page = await samplePage("page.png", "One page");
});

afterAll(() => place.close());

const boundary = "----pages";

interface SlowUpload {
  socket: Socket;
  send(bytes: Uint8Array | string): void;
  begin(name: string): void;
  end(): void;
  /** The status line and body, once the server has answered. */
  readonly answer: Promise<string>;
}

/** A client that uploads by hand, so that it can stop wherever it likes. */
function uploadSlowly(bookId: string, url = place.url, path = "pages/bulk"): SlowUpload {
  const socket = connect({ host: "127.0.0.1", port: Number(new URL(url).port) });
  socket.on("error", () => undefined);
  const answer = new Promise<string>((resolve) => {
    let text = "";
    socket.setEncoding("utf8").on("data", (more: string) => {
      text += more;
      if (/\r\n\r\n.*\}/s.test(text)) resolve(text);
    });
  });
  socket.write(
    `POST /admin/books/${bookId}/${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: multipart/form-data; boundary=${boundary}\r\n` +
      "transfer-encoding: chunked\r\n\r\n",
  );
  const send = (bytes: Uint8Array | string) => {
    const buffer = Buffer.from(bytes);
    socket.write(Buffer.concat([Buffer.from(`${buffer.length.toString(16)}\r\n`), buffer, Buffer.from("\r\n")]));
  };
  return {
    socket,
    answer,
    send,
    begin: (name) =>
      send(`\r\n--${boundary}\r\ncontent-disposition: form-data; name="images"; filename="${name}"\r\n\r\n`),
    end() {
      send(`\r\n--${boundary}--\r\n`);
      socket.write("0\r\n\r\n");
    },
  };
}

/** Pixels that do not pack: larger than what is looked at before it is stored. */
async function drawNoisePage(): Promise<Buffer> {
  const noise = { type: "gaussian" as const, mean: 128, sigma: 60 };
  return sharp({ create: { width: 600, height: 500, channels: 3, background: "white", noise } })
    .png()
    .toBuffer();
}

/** An upload that has a whole file in storage and half of the next on its way. */
async function beginUpload(bookId: string, url = place.url): Promise<SlowUpload & { noise: Buffer }> {
  const before = new Set(await listStored(place));
  const upload = uploadSlowly(bookId, url);
  const noise = await drawNoisePage();
  upload.begin("1.png");
  upload.send(noise);
  upload.begin("2.png");
  upload.send(noise.subarray(0, 200_000));
  // The first has arrived, under its own name, and the second is on its way: nothing moves until more is sent.
  await until(async () => {
    const added = (await listStored(place)).filter((file) => !before.has(file));
    return added.length === 2 && added.filter((file) => file.startsWith(`books/${bookId}/raw/`)).length === 1;
  });
  return { ...upload, noise };
}

async function expectRefused(bookId: string, files: readonly SampleFile[], status: number, detail: RegExp) {
  const before = await listTraces(place);
  const { status: answered, body } = await client.bulk(bookId, files);
  expect({ answered, body }).toEqual({ answered: status, body: { detail: expect.stringMatching(detail) } });
  expect(await listTraces(place)).toEqual(before);
}

async function forgetLease(bookId: string): Promise<void> {
  await place.db.query(sql`update books set upload_until = now() - interval '1 second' where id = ${bookId}`);
}

/** Frees the book of the job that an upload began; no worker runs here. */
async function cancelActive(bookId: string): Promise<void> {
  const job = await client.latest(bookId);
  expect((await client.post(`/admin/books/${bookId}/jobs/${job?.job_id}/cancel`)).status).toBe(200);
}

describe("a bulk upload that is refused leaves nothing", () => {
  let bookId: string;
  beforeAll(async () => {
    bookId = await client.create();
  });

  it("no images, and a form of another kind", async () => {
    await expectRefused(bookId, [], 400, /^No images provided$/);
    const before = await listTraces(place);
    const json = await client.post(`/admin/books/${bookId}/pages/bulk`, { images: [] });
    expect(json.status).toBe(415);
    expect(Object.keys(json.body)).toEqual(["detail"]);
    expect(await listTraces(place)).toEqual(before);
  });

  it("a book that is not there", async () => {
    for (const id of ["019b0000-0000-7000-8000-000000000000", "no-uuid", "%00", "..%2f.."]) {
      await expectRefused(id, [page], 404, /not found|There is no/i);
    }
  });

  it("more than 200 files", async () => {
    const files = Array.from({ length: 201 }, (_, index) => ({ ...page, name: `${index}.png` }));
    await expectRefused(bookId, files, 400, /^Max 200 files per upload$/);
  });

  it("a file of another type, wherever it stands, whatever it is called", async () => {
    const text = { name: "page_2.png", bytes: Buffer.from("This is no picture at all.") };
    const pdf = { name: "scan.png", bytes: Buffer.from("%PDF-1.7\n1 0 obj\n<<>>\nendobj\n") };
    for (const bad of [text, pdf]) {
      await expectRefused(bookId, [bad, page], 400, /is no image that is read/);
      await expectRefused(bookId, [page, page, bad], 400, /is no image that is read/);
    }
  });

  it("an empty file", async () => {
    await expectRefused(bookId, [page, { name: "void.png", bytes: new Uint8Array() }], 400, /^void\.png is empty/);
  });

  it("a file that is too large", async () => {
    const bytes = Buffer.concat([page.bytes, Buffer.alloc(2 ** 20)]);
    await expectRefused(bookId, [page, { name: "huge.png", bytes }], 413, /huge\.png is larger than 1 MB/);
  });

  it("more than 500 pages in the book", async () => {
    const full = await client.create("Full");
    const fill = (from: number, to: number) =>
      place.db.query(sql`
        insert into book_pages (id, book_id, page_num, file_num, filename, raw_key, raw_format)
        select gen_random_uuid(), ${full}, n, n, 'x', 'books/x/raw/' || n, 'png' from generate_series(${from}::integer, ${to}::integer) n`);
    await fill(1, 498);
    await place.db.query(sql`update books set next_file = 499 where id = ${full}`);
    await expectRefused(full, [page, page, page], 400, /500 pages; this would make 501/);
    const tiff = { name: "many.tif", bytes: await drawTiff([["a"], ["b"], ["c"]]) };
    await expectRefused(full, [tiff], 400, /500 pages; this would make 501/);
    await fill(499, 500);
    await expectRefused(full, [page], 400, /500 pages/);
    expect((await client.addPage(full, page)).status).toBe(400);
    // A full book is not a frozen one.
    const replaced = await client.replacePage(full, 500, page);
    expect(replaced.body).toMatchObject({ page_num: 500, ocr_status: "completed" });
    await client.remove(`/admin/books/${full}`);
  });

  it("a TIFF with more pages than are read of one file: none of them passes for all", async () => {
    const tiff = { name: "five.tif", bytes: await drawTiff([["a"], ["b"], ["c"], ["d"], ["e"]]) };
    await expectRefused(bookId, [page, tiff], 400, /five\.tif: It has 5 pages; at most 4/);
    // One that is broken is a page that says so when it is read.
    const id = await client.create();
    const cut = { name: "cut.tif", bytes: tiff.bytes.subarray(0, 200) };
    expect((await client.bring(id, [cut, page])).total_pages).toBe(2);
    await cancelActive(id);
  });

  it("a job at work on the book, which it names, also while the client is still sending", async () => {
    const busy = await client.create("Busy");
    const { job_id } = await client.bring(busy, [page]);
    await expectRefused(busy, [page], 409, new RegExp(`Job ${job_id} \\(ocr_batch\\) is pending`));
    const large = { name: "large.png", bytes: Buffer.concat([page.bytes, Buffer.alloc(900_000)]) };
    await expectRefused(
      busy,
      Array.from({ length: 20 }, () => large),
      409,
      /ocr_batch/,
    );
    for (const answer of [client.addPage(busy, page), client.replacePage(busy, 1, page)]) {
      expect((await answer).status).toBe(409);
    }
    await cancelActive(busy);
  });

  it("a connection that breaks in the middle, and the book is free at once", async () => {
    const before = await listTraces(place);
    const { socket } = await beginUpload(bookId);
    await expectBusy(bookId);
    socket.destroy();
    await until(async () => (await listStored(place)).length === (before as { files: string[] }).files.length);
    await until(async () => (await client.post(`/admin/books/${bookId}/pages/approve-all`)).status === 200);
    expect(withoutMirror(await listTraces(place))).toEqual(withoutMirror(before));
  });
});

/** While pages are being uploaded, everything else that changes the book is refused. */
async function expectBusy(bookId: string): Promise<void> {
  const before = await listTraces(place);
  const answers = [
    await client.bulk(bookId, [page]),
    await client.addPage(bookId, page),
    await client.post(`/admin/books/${bookId}/pages/retry-failed`),
    await client.post(`/admin/books/${bookId}/pages/approve-all`),
    await client.post(`/admin/books/${bookId}/generate-guidelines`, {}),
    await client.post(`/admin/books/${bookId}/finalize`, {}),
    await client.remove(`/admin/books/${bookId}`),
  ];
  for (const { status, body } of answers) {
    expect({ status, body }).toEqual({ status: 409, body: { detail: expect.stringMatching(/being uploaded/) } });
  }
  expect(await listTraces(place)).toEqual(before);
}

function withoutMirror(traces: object): object {
  const { files, ...rows } = traces as { files: string[] };
  return { ...rows, files: files.filter((file) => !file.endsWith("/metadata.json")) };
}

describe("a bulk upload that is taken", () => {
  it("puts page_2 before page_10, whatever order they came in", async () => {
    const bookId = await client.create();
    const names = ["page_10.png", "Page_9.png", "page_2.png", "page_1.png", "page_010b.png"];
    const files = await Promise.all(names.map((name) => samplePage(name, name)));
    const { pages_uploaded, total_pages, status, message, ...rest } = await client.bring(bookId, files);
    expect({ pages_uploaded, total_pages, status }).toEqual({
      pages_uploaded: [1, 2, 3, 4, 5],
      total_pages: 5,
      status: "processing",
    });
    expect(message).toMatch(/5/);
    expect(Object.keys(rest)).toEqual(["job_id"]);
    const pages = await client.pages(bookId);
    expect(pages.map(({ filename }) => filename)).toEqual([
      "page_1.png",
      "page_2.png",
      "Page_9.png",
      "page_10.png",
      "page_010b.png",
    ]);
    // Each page has the bytes of the file that it is named after.
    for (const { page_num, filename } of pages) {
      const response = await fetch(`${place.url}/admin/books/${bookId}/pages/${page_num}/image`);
      expect(Buffer.from(await response.arrayBuffer())).toEqual(files.find(({ name }) => name === filename)?.bytes);
    }
    await cancelActive(bookId);
  });

  it("3.1 stores ten raw images, and the mirror has ten pages that wait", async () => {
    const bookId = await client.create();
    await client.bring(bookId, await samplePages(10));
    const files = Object.keys(await readBookFiles(place, bookId));
    const raw = Array.from({ length: 10 }, (_, index) => `raw/${index + 1}.png`);
    expect(files).toEqual([...raw, "metadata.json"].sort());
    const { pages, total_pages } = await readMetadata(place, bookId);
    expect(total_pages).toBe(10);
    expect(pages).toEqual(await client.pages(bookId));
    for (const one of pages) {
      expect(one).toMatchObject({ ocr_status: "pending", image_key: null, text_key: null, ocr_error: null });
    }
    await cancelActive(bookId);
  });

  it("makes several pages of a TIFF with several, holds telephone pictures upright, and goes on counting", async () => {
    const bookId = await client.create();
    const files = [
      {
        name: "c.webp",
        bytes: await sharp(await drawPage(["Webp page"]))
          .webp()
          .toBuffer(),
      },
      { name: "a.tif", bytes: await drawTiff([["Tiff first"], ["Tiff second"], ["Tiff third"]]) },
      { name: "b.jpg", bytes: await drawTurnedPage(["Turned page"]) },
    ];
    const { job_id, pages_uploaded } = await client.bring(bookId, files);
    expect(pages_uploaded).toEqual([1, 2, 3, 4, 5]);
    const worker = await place.startWorker();
    expect(await client.ended(bookId, job_id)).toMatchObject({ status: "completed", completed_items: 5 });
    const second = await client.bring(bookId, [page]);
    expect(second.pages_uploaded).toEqual([6]);
    await client.ended(bookId, second.job_id);
    await worker.stop(5_000);
    const texts = await Promise.all(
      [1, 2, 3, 4, 5, 6].map(async (n) =>
        (await client.ask(`/admin/books/${bookId}/pages/${n}/text`)).body.text.trim(),
      ),
    );
    expect(texts).toEqual(["Tiff first", "Tiff second", "Tiff third", "Turned page", "Webp page", "One page"]);
    const shown = await fetch(`${place.url}/admin/books/${bookId}/pages/4/image`);
    expect(await sharp(Buffer.from(await shown.arrayBuffer())).metadata()).toMatchObject({
      format: "png",
      width: 700,
      height: 500,
    });
    const pages = await client.pages(bookId);
    expect(new Set(pages.map(({ image_key }) => image_key)).size).toBe(6);
    // A file of several pages goes with the last of them.
    for (const left of [2, 1, 0]) {
      await client.remove(`/admin/books/${bookId}/pages/1`);
      const kept = Object.keys(await readBookFiles(place, bookId)).includes(
        pages[0]?.raw_image_key.split("/").slice(2).join("/") ?? "",
      );
      expect(kept).toBe(left > 0);
    }
    expect((await client.pages(bookId)).map(({ filename }) => filename)).toEqual(["b.jpg", "c.webp", "page.png"]);
  });

  it("of two that race for one book exactly one wins, and the other leaves nothing", async () => {
    for (let round = 0; round < 3; round++) {
      const bookId = await client.create();
      const racers = await Promise.all([1, 2, 3].map((count) => samplePages(count)));
      const answers = await Promise.all(racers.map((files) => client.bulk(bookId, files)));
      const [winner, ...more] = answers.filter(({ status }) => status === 200);
      expect(more).toEqual([]);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(2);
      const count = winner?.body.total_pages;
      expect(await client.pages(bookId)).toHaveLength(count);
      const files = Object.keys(await readBookFiles(place, bookId)).filter((name) => name.startsWith("raw/"));
      expect(files).toHaveLength(count);
      await cancelActive(bookId);
    }
  });
});

describe("an upload that dies", () => {
  it("with its server, by kill -9, holds the book until its lease is over, and the sweep takes what it left", async () => {
    const bookId = await client.create();
    const { server, url } = await startServe(["--port", "0", "--no-workers"], { env: place.environment });
    await beginUpload(bookId, url);
    server.kill("SIGKILL");
    await server.ended;
    expect(await client.pages(bookId)).toEqual([]);
    await expectBusy(bookId);
    await forgetLease(bookId);
    const files = await samplePages(2);
    expect((await client.bring(bookId, files)).pages_uploaded).toEqual([1, 2]);
    await sweepBooks(place.runtime.books.services, AbortSignal.timeout(30_000), Date.now() + 25 * 3_600_000);
    const pages = await client.pages(bookId);
    const kept = (await listStored(place)).filter((key) => key.includes(`${bookId}/raw/`));
    expect(kept).toEqual(pages.map(({ raw_image_key }) => raw_image_key).sort());
    await cancelActive(bookId);
  });

  it("and comes back, is refused, and has touched nothing of the upload that took the book since", async () => {
    const bookId = await client.create();
    const slow = await beginUpload(bookId);
    await forgetLease(bookId);
    const files = await samplePages(3);
    await client.bring(bookId, files);
    await cancelActive(bookId);
    slow.send(slow.noise.subarray(200_000));
    slow.end();
    expect(await slow.answer).toMatch(/^HTTP\/1.1 409 .*"detail"/s);
    slow.socket.destroy();
    const pages = await client.pages(bookId);
    expect(pages).toHaveLength(3);
    for (const [index, { page_num }] of pages.entries()) {
      const response = await fetch(`${place.url}/admin/books/${bookId}/pages/${page_num}/image`);
      expect(response.status).toBe(200);
      expect(Buffer.from(await response.arrayBuffer())).toEqual(files[index]?.bytes);
    }
    const kept = (await listStored(place)).filter((key) => key.includes(`${bookId}/raw/`));
    expect(kept).toEqual(pages.map(({ raw_image_key }) => raw_image_key).sort());
  });

  it("long ago: what belongs to no page is swept up, and nothing else", async () => {
    const bookId = await client.create();
    expect((await client.addPage(bookId, page)).status).toBe(200);
    const { blobs } = place.runtime.books.services;
    const kept = Object.keys(await readBookFiles(place, bookId));
    const strays = ["raw/7.png", "7.png", "7.txt", "guidelines/pages/7.json"];
    for (const name of strays) await blobs.put(`books/${bookId}/${name}`, Readable.from([Buffer.from("stray")]));
    const sweep = (now?: number) => sweepBooks(place.runtime.books.services, AbortSignal.timeout(30_000), now);
    await sweep();
    expect(Object.keys(await readBookFiles(place, bookId))).toHaveLength(kept.length + strays.length);
    await sweep(Date.now() + 25 * 3_600_000);
    expect(Object.keys(await readBookFiles(place, bookId))).toEqual(kept);
  });

  it("among many, whatever they do at once: pages are numbered through, and each has its files", async () => {
    const bookId = await client.create();
    for (let n = 0; n < 3; n++) await client.addPage(bookId, page);
    const at = `/admin/books/${bookId}/pages`;
    const acts = [
      () => client.addPage(bookId, page),
      () => client.bulk(bookId, [page, page]),
      () => client.remove(`${at}/1`),
      () => client.replacePage(bookId, 2, page),
      () => client.put(`${at}/1/approve`),
      () => client.put(`${at}/2/text`, { text: "By hand" }),
      () => client.post(`${at}/approve-all`),
      () => client.post(`${at}/1/retry-ocr`),
    ];
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(acts.map((act) => act()));
      for (const { status } of answers) expect([200, 404, 409]).toContain(status);
      const job = await client.latest(bookId);
      if (job?.status === "pending") await cancelActive(bookId);
      const pages = await client.pages(bookId);
      expect(pages.map(({ page_num }) => page_num)).toEqual(pages.map((_, index) => index + 1));
      const files = (await listStored(place)).filter((key) => key.includes(bookId));
      for (const { raw_image_key, image_key, text_key } of pages) {
        expect(files).toEqual(
          expect.arrayContaining([raw_image_key, image_key, text_key].filter((key) => key !== null)),
        );
      }
      const raw = files.filter((key) => key.includes("/raw/"));
      expect(raw).toEqual(pages.map(({ raw_image_key }) => raw_image_key).sort());
    }
  });

  it("over a single page leaves no picture or text of it either", async () => {
    const bookId = await client.create();
    const before = await listTraces(place);
    // Three pages in one file are no single page: refused after it was stored.
    const tiff = { name: "three.tif", bytes: await drawTiff([["a"], ["b"], ["c"]]) };
    const { status, body } = await client.addPage(bookId, tiff);
    expect({ status, body }).toEqual({ status: 400, body: { detail: expect.stringMatching(/several pages/) } });
    expect((await client.addPage(bookId, { name: "empty", bytes: new Uint8Array() })).status).toBe(400);
    expect(await listTraces(place)).toEqual(before);
    // The book is taken from it while the page is being read.
    const slow = uploadSlowly(bookId, place.url, "pages");
    slow.begin("slow.png");
    slow.send(page.bytes);
    await until(async () => {
      const [row] = await place.db.query<{ held: boolean }>(
        sql`select upload_token is not null as held from books where id = ${bookId}`,
      );
      return row?.held;
    });
    await place.db.query(sql`update books set upload_token = gen_random_uuid() where id = ${bookId}`);
    slow.end();
    expect(await slow.answer).toMatch(/^HTTP\/1.1 409 /);
    slow.socket.destroy();
    await place.db.query(sql`update books set upload_token = null, upload_until = null where id = ${bookId}`);
    expect((await listStored(place)).filter((key) => key.includes(bookId))).toEqual([]);
    expect(await client.pages(bookId)).toEqual([]);
  });
});
