/** examples/invoice-check as its README tells it: a real server, killed in the middle, and every effect there once. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeInvoice } from "../../scripts/samples/write-invoice.ts";
import type { DocumentList, DocumentSummary, SearchAnswer } from "../../src/contract/documents.ts";
import type { JobDetail, JobList } from "../../src/contract/jobs.ts";
import type { SystemInfo } from "../../src/contract/system.ts";
import { sql } from "../../src/db/sql.ts";
import { type DocmillProcess, runDocmill, startServe } from "../support/docmill-process.ts";
import { drawPdf } from "../support/sample-pdfs.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../support/temporary-folder.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";
import { until } from "../support/until.ts";

const config = fileURLToPath(new URL("../../examples/invoice-check/docmill.config.ts", import.meta.url));
let folder: string;
let database: TestDatabase;
let server: DocmillProcess;
let url: string;

beforeAll(async () => {
  folder = await makeTemporaryFolder();
  database = await createTestDatabase();
});

afterAll(async () => {
  server?.kill("SIGTERM");
  await server?.ended;
  await database?.drop();
  if (folder) await removeTemporaryFolder(folder);
});

async function serve(pauseMs: number): Promise<void> {
  const env = { DATABASE_URL: database.url, PAUSE_MS: String(pauseMs) };
  const args = ["--port", "0", "--data-dir", join(folder, "data"), "--config", config];
  ({ server, url } = await startServe(args, { env }));
}

const docmill = (...args: string[]) => runDocmill([...args, "--server", url], { cwd: folder });

async function ask<Answer>(path: string): Promise<Answer> {
  const answer = await fetch(`${url}${path}`);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Answer;
}

async function add(name: string, pdf: Buffer): Promise<DocumentSummary> {
  await writeFile(join(folder, name), pdf);
  const { code, stdout, stderr } = await docmill("add", name, "--json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const [document] = JSON.parse(stdout) as DocumentSummary[];
  return document as DocumentSummary;
}

/** The jobs of a kind, newest first. */
const jobsOf = async (kind: string) => (await ask<JobList>(`/api/jobs?kind=${kind}`)).items;
const ended = (id: string) =>
  until(async () => {
    const job = await ask<JobDetail>(`/api/jobs/${id}`);
    return job.status !== "pending" && job.status !== "running" && job;
  });
const checks = () =>
  database.db.query(sql`
    select c.number, c.total_cents as total, c.problems, d.filename from back_office.invoice_checks c
    join documents d on d.id = c.document_id order by c.checked_at`);

it("checks an invoice once although the server is killed in the middle of it", async () => {
  // Long enough that not all five lines are asked about before the kill.
  await serve(2_000);
  expect(server.stdout).toContain("own/letter-triples/1/256, yours (config file)");
  const { id: documentId } = await add("invoice.pdf", await writeInvoice());
  const { id } = await until(async () => (await jobsOf("invoice-check"))[0]);
  await until(async () => (await ask<JobDetail>(`/api/jobs/${id}`)).items.completed >= 1);
  server.kill("SIGKILL");
  await server.ended;

  await serve(0);
  const job = await ended(id);
  expect(job).toMatchObject({
    status: "completed",
    attempts: 2,
    input: { documentId },
    result: { number: "TP-2031-0187", problems: [], report: "report.md" },
    items: { completed: 5, failed: 0 },
  });
  // The accounts and five lines were paid for, and nothing twice.
  expect(job.spend).toMatchObject({ paidCalls: 6, cost: 0.0012 });
  expect(await checks()).toEqual([{ number: "TP-2031-0187", total: 1019616, problems: 0, filename: "invoice.pdf" }]);
  const report = await fetch(`${url}/api/jobs/${id}/files/report.md`);
  expect(report.headers.get("content-disposition")).toContain("attachment");
  const text = await report.text();
  expect(text).toContain("Everything adds up.");
  expect(text).toContain("| Booster pump TP-40, 4 kW | 3690.00 | 0700 Machines |");
  expect(await ask(`/api/jobs/${id}/files`)).toMatchObject({ items: [{ name: "report.md", size: text.length }] });
  expect((await fetch(`${url}/api/jobs/${id}/files/other.md`)).status).toBe(404);
});

it("is run by hand, over the command line and the API, once a key", async () => {
  const [invoice] = (await ask<DocumentList>("/api/documents")).items;
  const documentId = invoice?.id;
  const input = JSON.stringify({ documentId });
  const run = () => docmill("run", "invoice-check", "--input", input, "--idempotency-key", "by-hand", "--watch");
  const first = await run();
  expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: "" });
  expect(first.stdout).toContain('"number": "TP-2031-0187"');
  expect((await run()).stdout).toContain("was there already under this key");
  const answer = await fetch(`${url}/api/jobs`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ kind: "invoice-check", input: { documentId } }),
  });
  expect(answer.status).toBe(201);
  const { id } = (await answer.json()) as { id: string };
  // The ledger has all the answers by now.
  expect((await ended(id)).spend).toMatchObject({ paidCalls: 0, hits: 6 });
  expect(await checks()).toHaveLength(3);
});

it("writes a letter about an invoice that does not add up, and reads that as a document", async () => {
  const { id: wrongId } = await add("wrong.pdf", await drawWrongInvoice());
  const check = await until(async () =>
    (await Promise.all((await jobsOf("invoice-check")).map(({ id }) => ended(id)))).find(
      ({ input }) => (input as { documentId: string }).documentId === wrongId,
    ),
  );
  expect(check.result).toMatchObject({
    number: "W-77",
    problems: ["Gate valve: 3 at 20.00 are 60.00, not 66.00.", "With tax it is 135.20, not 145.20."],
  });
  const letter = await until(async () => {
    const { items } = await ask<DocumentList>("/api/documents");
    return items.find(({ filename, status }) => filename === "letter-W-77.md" && status === "Ready");
  });
  const markdown = await (await fetch(`${url}/api/documents/${letter.id}/markdown`)).text();
  expect(markdown).toContain("With tax it is 135.20, not 145.20.");
  await until(async () => (await jobsOf("document_ready")).every(({ status }) => status === "completed"));
  // The letter is no PDF, so nobody checks it.
  expect((await jobsOf("clarify-invoice")).map(({ status }) => status)).toEqual(["completed"]);
  expect(await jobsOf("invoice-check")).toHaveLength(4);
});

it("searches with the user's own embeddings, and says whose they are", async () => {
  const { items } = await ask<SearchAnswer>("/api/search?mode=meaning&q=boosterpumps+and+gatevalves");
  expect(items[0]?.document.filename).toBe("invoice.pdf");
  const { providers } = await ask<SystemInfo>("/api/system");
  const named = Object.fromEntries(providers.map(({ use, name, hint }) => [use, { name, hint }]));
  expect(named).toMatchObject({
    embeddings: { name: "own/letter-triples/1/256, yours (config file)", hint: null },
    model: { name: null },
  });
});

it("is found well by the doctor", async () => {
  const { stdout } = await runDocmill(["doctor"], {
    cwd: folder,
    env: { DATABASE_URL: database.url, DOCMILL_CONFIG: config },
  });
  expect(stdout).toContain("pipelines: invoice-check, clarify-invoice, providers: embeddings");
  expect(stdout).toContain("letter-triples 1, yours (config file): answers with 256 dimensions");
});

/** One line is multiplied wrongly, and so is the total. */
function drawWrongInvoice(): Promise<Buffer> {
  return drawPdf((pdf) => {
    pdf.font("Helvetica-Bold").fontSize(20).text("INVOICE", 64, 60);
    pdf.font("Helvetica").fontSize(10);
    const facts = [
      ["Invoice number:", "W-77"],
      ["Invoice date:", "14 March 2031"],
    ];
    for (const [index, [label = "", value = ""]] of facts.entries()) {
      pdf.text(label, 64, 110 + index * 17, { lineBreak: false }).text(value, 170, 110 + index * 17);
    }
    const rows = [
      ["Pos", "Description", "Qty", "Unit price", "Amount"],
      ["1", "Gate valve", "3", "20.00", "66.00"],
      ["2", "Pressure sensor", "1", "60.00", "60.00"],
    ];
    const edges = [64, 100, 300, 350, 430, 520];
    for (const [line, row] of rows.entries()) {
      const y = 180 + line * 20;
      for (const [column, text] of row.entries()) {
        const [left = 0, right = 0] = edges.slice(column, column + 2);
        pdf.rect(left, y, right - left, 20).stroke();
        pdf.text(text, left + 4, y + 6, { lineBreak: false });
      }
    }
    const sums = [
      ["Subtotal:", "126.00 EUR"],
      ["VAT 20%:", "9.20 EUR"],
      ["Total amount due:", "145.20 EUR"],
    ];
    for (const [index, [label = "", value = ""]] of sums.entries()) {
      pdf.text(label, 330, 270 + index * 19, { lineBreak: false }).text(value, 440, 270 + index * 19);
    }
  });
}
