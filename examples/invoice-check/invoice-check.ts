/**
 * Checks an invoice that Docmill has read: says on which account each line goes, adds everything up, writes a report, and
 * keeps a row in a table of its own. If something does not add up, a letter to the seller follows.
 */
import { pipeline, sql, TerminalError, z } from "docmill";
import { accounts, chooseAccount } from "./choose-account.ts";
import { findProblems, readInvoice, show } from "./read-invoice.ts";

/** Writes a letter that asks what was meant; it becomes a document like any other. */
export const clarify = pipeline("clarify-invoice", {
  input: z.object({ number: z.string(), seller: z.string().nullable(), problems: z.array(z.string()) }),
}).stage("write", async ({ input: { number, seller, problems }, docmill }) => {
  const letter = `# Invoice ${number}\n\nTo ${seller ?? "whom it concerns"},\n\nplease look at your invoice again:\n\n${problems.map((problem) => `- ${problem}\n`).join("")}`;
  // However often this stage is run, the job adds one document.
  return docmill.documents.add({ filename: `letter-${number}.md`, content: letter });
});

export const invoiceCheck = pipeline("invoice-check", {
  input: z.object({ documentId: z.uuid() }),
  // The document may still be on its way: NOT_READY is tried again, and holds no slot meanwhile.
  retry: { attempts: 20, baseMs: 1_000, factor: 1.5, capMs: 30_000 },
  // Two checks of one document at the same time make no sense.
  lockKey: ({ documentId }) => `invoice-check:${documentId}`,
})
  .stage("read", async ({ input: { documentId }, docmill: { documents } }) => {
    const { filename } = await documents.ready(documentId);
    const invoice = readInvoice(await documents.fields(documentId), await documents.tables(documentId));
    if (!invoice)
      throw new TerminalError("NO_INVOICE", `${filename} has no number of an invoice or no table of lines.`);
    return invoice;
  })
  // Each line is a checkpoint: after a crash only those are asked about that are not done.
  .stage("book", async ({ outputs, items, docmill }) => {
    const known = await docmill.embed(accounts.map(({ description }) => description));
    const booked = await items(
      outputs.read.lines.map((line, index) => ({ ...line, position: String(index + 1) })),
      { key: ({ position }) => position, retry: { attempts: 3, baseMs: 500 }, failJob: true },
      async ({ what }) => {
        const [line] = await docmill.embed([what]);
        return line ? chooseAccount(line, known) : "";
      },
    );
    return [...booked.outputs.values()];
  })
  .stage("check", async ({ outputs, progress, emit }) => {
    await progress({ message: "adding up" });
    const problems = findProblems(outputs.read);
    await emit("invoice_checked", { number: outputs.read.number, problems: problems.length });
    return { problems };
  })
  .stage("prepare", ({ commit }) =>
    commit(async (tx) => {
      // Several jobs may come here first: one makes the table, the others wait and find it.
      await tx.query(sql`select pg_advisory_xact_lock(hashtext('back_office'))`);
      await tx.query(sql`create schema if not exists back_office`);
      await tx.query(sql`
        create table if not exists back_office.invoice_checks (
          job_id uuid primary key, document_id uuid not null, number text not null, total_cents bigint,
          problems integer not null, checked_at timestamptz not null default now())`);
      return null;
    }),
  )
  // The file may be written twice, with the same content; the row is written with the checkpoint, exactly once.
  .stage("report", async ({ job, input, outputs, docmill, commit }) => {
    const { read: invoice, check, book } = outputs;
    const lines = invoice.lines.map(({ what, amountCents }, at) => `| ${what} | ${show(amountCents)} | ${book[at]} |`);
    const findings = check.problems.length === 0 ? "Everything adds up." : check.problems.join("\n\n");
    const table = `| line | amount | account |\n|---|---|---|\n${lines.join("\n")}`;
    await docmill.files.put("report.md", `# Invoice ${invoice.number}\n\n${findings}\n\n${table}\n`);
    return commit(async (tx) => {
      await tx.query(sql`
        insert into back_office.invoice_checks (job_id, document_id, number, total_cents, problems)
        values (${job.id}, ${input.documentId}, ${invoice.number}, ${invoice.totalCents}, ${check.problems.length})`);
      return { number: invoice.number, problems: check.problems, report: "report.md" };
    });
  })
  .after(({ outputs: { read, check } }) =>
    check.problems.length === 0
      ? []
      : [clarify.job({ number: read.number, seller: read.seller, problems: check.problems })],
  );
