/** What a config file adds, at work: providers that read and embed documents, services in stages, jobs after documents. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { sql } from "../../src/db/sql.ts";
import { type Providers, pipeline, RetryableError, z } from "../../src/index.ts";
import type { AnyPipeline } from "../../src/jobs/pipeline.ts";
import type { Worker } from "../../src/jobs/worker.ts";
import { sweepJobFiles } from "../../src/periodic-tasks.ts";
import { openRuntime } from "../../src/runtime.ts";
import { type DocumentPlace, openDocumentPlace } from "../support/document-place.ts";
import { jobEnded } from "../support/read-job.ts";
import { drawPdf } from "../support/sample-pdfs.ts";
import { drawScan, editScan } from "../support/sample-scans.ts";
import { makeScannedDocument } from "../support/scanned-document.ts";
import { silentLogger } from "../support/silent-logger.ts";
import { until } from "../support/until.ts";

const asked = { embed: 0 };
const box = { x: 40, y: 40, width: 400, height: 30 };
const embeddings = (version: string): Providers["embeddings"] => ({
  name: "lengths",
  version,
  dimensions: 2,
  paid: true,
  async embed(texts) {
    asked.embed += texts.length;
    return { vectors: texts.map(({ length }) => [length, 1]) };
  },
});
const providers: Providers = {
  embeddings: embeddings("1"),
  ocr: { name: "eyes", version: "1", read: async () => ({ words: [{ text: "seen with own eyes", box }] }) },
  model: { name: "oracle", version: "1", answer: async () => ({ answer: { says: "perhaps" } }) },
  extraction: {
    name: "forms",
    version: "1",
    analyse: async (_, { from, to }) => ({
      pages: Array.from({ length: to - from + 1 }, (_unused, index) => ({
        page: from + index,
        width: 595,
        height: 842,
        words: [{ text: `read by forms on page ${from + index}`, box }],
        fields: [{ key: "form", value: "F-1" }],
      })),
    }),
  },
};

const probe = pipeline("probe", { input: z.object({ documentId: z.uuid() }) })
  .stage("look", async ({ input: { documentId }, docmill: { documents, files, model, embed, ocr } }) => {
    const scan = await editScan(await drawScan(), (image) => image);
    const { words } = await ocr(scan.data, { dpi: 100 });
    const question = { schema: z.object({ says: z.string() }), name: "q", instructions: "?", promptVersion: 1 };
    const [vector] = await embed(["four"]);
    await files.put("a.txt", "first");
    await files.put("a.txt", "replaced");
    const added = [1, 2].map(() => documents.add({ filename: "note.md", content: "# A note\n\nFrom a job." }));
    const [original] = await (await documents.original(documentId)).take(1).toArray();
    return {
      words: words.map(({ text }) => text),
      says: await model?.complete({ ...question, input: [] }),
      vector: Array.from(vector ?? []).map((value) => value.toFixed(3)),
      fields: (await documents.fields(documentId)).map(({ key, value, source }) => ({ key, value, source })),
      chunks: (await documents.chunks(documentId)).length,
      markdown: await documents.markdown(documentId),
      original: String(original).slice(0, 5),
      added: (await Promise.all(added)).map(({ id }) => id),
    };
  })
  .stage("reread", async ({ docmill: { files }, job }) => ({
    text: String(await files.read("a.txt", { job: job.id })),
    files: await files.list(),
    wrong: await files.put("../a", "").catch((error: { code: string }) => error.code),
  }));
const patient = pipeline("patient", {
  input: z.object({ documentId: z.uuid() }),
  retry: { attempts: 30, baseMs: 50, factor: 1 },
}).stage("wait", async ({ input, docmill }) => {
  const { filename } = await docmill.documents.ready(input.documentId).catch((error: RetryableError) => {
    expect(error).toMatchObject({ code: "NOT_READY", retryable: true, retryAfterMs: 2_000 });
    // Sooner, so that the test is short.
    throw new RetryableError(error.code, error.message);
  });
  return filename;
});
const following = pipeline("following", {
  input: z.object({ documentId: z.uuid() }),
  lockKey: ({ documentId }) => documentId,
}).stage("only", () => 1);

let place: DocumentPlace;
let worker: Worker;
beforeAll(async () => {
  const own = {
    pipelines: [probe, patient, following] as unknown as AnyPipeline[],
    providers,
    afterDocument: ({ id, filename }: { id: string; filename: string }) => {
      if (filename === "unlucky.txt") throw new Error("The hook is broken.");
      if (filename === "odd.txt") return undefined as never;
      return filename === "followed.txt" ? [following.job({ documentId: id })] : [];
    },
  };
  place = await openDocumentPlace({ own });
});
afterAll(() => place?.close());

const text = (name: string) => ({ name, bytes: Buffer.from(`# ${name}\n\nSome words about ${name}.`) });
const isReady = ({ status }: { status: string }) => status === "Ready";
const markdownOf = async (id: string) => (await fetch(`${place.url}/api/documents/${id}/markdown`)).text();
const kindsOf = (kind: string) =>
  place.db.query<{ id: string; status: string; errorCode: string | null; documentId: string }>(
    sql`select id, status, error_code, input ->> 'documentId' as document_id from jobs where kind = ${kind}`,
  );

describe("providers", () => {
  it("read documents in place of what the settings name, unless a document asks for others", async () => {
    worker = await place.startWorker();
    const pdf = await drawPdf((page) => page.text("What is really printed there."));
    const scanned = await makeScannedDocument("scan.pdf", 1);
    const byForms = await place.upload({ name: "printed.pdf", bytes: pdf });
    const byPlain = await place.upload({ name: "printed-too.pdf", bytes: pdf }, { extraction: "local" });
    const byEyes = await place.upload(scanned, { extraction: "local" });
    for (const { id } of [byForms, byPlain, byEyes]) await place.reaches(id, isReady);
    expect(await markdownOf(byForms.id)).toContain("read by forms on page 1");
    expect(await markdownOf(byPlain.id)).toContain("What is really printed there.");
    expect(await markdownOf(byEyes.id)).toContain("seen with own eyes");
    expect(place.openAi.requests).toEqual([]);
    expect(place.runtime.documentFacts).toMatchObject({
      ocr: "eyes 1, yours (config file)",
      extraction: "forms 1, yours (config file)",
      embeddings: "own/lengths/1/2, yours (config file)",
      model: "oracle 1, yours (config file)",
    });
  });

  it("of another version give documents new vectors after the next start", async () => {
    await place.atRest();
    await worker.stop(5_000);
    const before = asked.embed;
    const { settings } = readConfig({ environment: place.environment });
    const own = { providers: { ...providers, embeddings: embeddings("2") } };
    const next = await openRuntime({ settings, pipelines: [], ...own, logger: silentLogger });
    try {
      const renewing = await next.startWorker();
      await until(async () => {
        const without = await place.db.query(sql`
          select from chunks c where not exists (select from chunk_vectors v join embedding_models m on m.id = v.model_id
            where v.chunk_id = c.id and m.name = 'own/lengths/2/2')`);
        return without.length === 0;
      });
      await place.atRest();
      await renewing.stop(5_000);
    } finally {
      await next.close();
    }
    worker = await place.startWorker();
    expect(asked.embed).toBeGreaterThan(before);
  });
});

describe("services", () => {
  it("read documents, keep files, add documents once and ask the providers", async () => {
    const [byForms] = await place.db.query<{ id: string }>(
      sql`select id from documents where filename = 'printed.pdf'`,
    );
    const documentId = byForms?.id as string;
    const { id } = await place.runtime.engine.enqueue(probe.job({ documentId }));
    expect(await jobEnded(place.db, id)).toMatchObject({ status: "completed", errorMessage: null });
    const [look = { output: {} }] = await place.db.query<{ output: Record<string, unknown> }>(
      sql`select output from job_stages where job_id = ${id} and name = 'look'`,
    );
    expect(look.output).toMatchObject({
      words: ["seen", "with", "own", "eyes"],
      says: { says: "perhaps" },
      vector: ["0.970", "0.243"],
      fields: [{ key: "form", value: "F-1", source: "own" }],
      chunks: 1,
      markdown: expect.stringContaining("read by forms"),
      original: "%PDF-",
    });
    const [first, second] = look.output.added as string[];
    expect(first).toBe(second);
    await place.reaches(first as string, isReady);
    const { body } = await place.ask(`/api/jobs/${id}`);
    const files = [{ name: "a.txt", size: 8 }];
    expect(body.result).toEqual({ text: "replaced", files, wrong: "INVALID_FILE_NAME" });
  });

  it("keep a job's files until the job has gone", async () => {
    const [{ id } = { id: "" }] = await kindsOf("probe");
    const { services } = place.runtime.documents;
    const [signal, tomorrow] = [new AbortController().signal, Date.now() + 48 * 3_600_000];
    expect(await sweepJobFiles(services, signal, tomorrow)).toBe(0);
    await place.db.query(sql`delete from jobs where id = ${id}`);
    expect(await sweepJobFiles(services, signal)).toBe(0);
    expect(await sweepJobFiles(services, signal, tomorrow)).toBe(1);
  });

  it("let a job try again until its document is ready, and fail it with one that never will be", async () => {
    const document = await place.upload(text("late.txt"));
    const { engine } = place.runtime;
    const waiting = await engine.enqueue(patient.job({ documentId: document.id }));
    expect(await jobEnded(place.db, waiting.id)).toMatchObject({ status: "completed" });
    const broken = await place.upload({ name: "broken.pdf", bytes: Buffer.from("%PDF-1.7\nnothing") });
    await place.reaches(broken.id, ({ status }) => status === "Failed");
    const hopeless = await engine.enqueue(patient.job({ documentId: broken.id }));
    expect(await jobEnded(place.db, hopeless.id)).toMatchObject({ status: "failed" });
  });
});

describe("after a document", () => {
  it.each([
    ["throws", "unlucky.txt", "UNKNOWN"],
    ["gives no list", "odd.txt", "WRONG_FOLLOW_UP"],
  ])("a hook that %s fails its own job and not the document", async (_, name, code) => {
    const { id } = await place.upload(text(name));
    await place.reaches(id, isReady);
    const hook = await until(async () =>
      (await kindsOf("document_ready")).find((job) => job.documentId === id && job.status === "failed"),
    );
    expect(hook.errorCode).toBe(code);
    expect((await place.read(id)).status).toBe("Ready");
  });

  it("a job whose lock key is held is created when it is free", async () => {
    const { engine } = place.runtime;
    const { id } = await place.upload(text("followed.txt"));
    await until(async () => (await kindsOf("following")).some((job) => job.status === "completed"));
    const held = await engine.enqueue(following.job({ documentId: id }, { delayMs: 3_600_000 }));
    await place.post(`/api/documents/${id}/reprocess`, {});
    const hook = await until(async () =>
      (await kindsOf("document_ready")).find((job) => job.documentId === id && job.status !== "completed"),
    );
    await until(async () => (await place.ask(`/api/jobs/${hook.id}`)).body.errorLog[0]?.code === "LOCK_HELD");
    await engine.cancelJob(held.id);
    expect(await jobEnded(place.db, hook.id)).toMatchObject({ status: "completed" });
    await until(async () => (await kindsOf("following")).filter(({ status }) => status === "completed").length === 2);
  });
});
