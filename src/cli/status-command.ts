/** `docmill status`: one job, document or batch in full, or an overview of all. */
import { Command } from "commander";
import type { DocumentDetail } from "../contract/documents.ts";
import type { JobDetail, JobSummary } from "../contract/jobs.ts";
import { jobStates } from "../contract/states.ts";
import type { Stats } from "../contract/system.ts";
import { DocmillError } from "../errors.ts";
import { describeDocument } from "./add-command.ts";
import { describeBatch } from "./describe-batch.ts";
import { describeProgress, seconds } from "./job-view.ts";
import { findServer, type ServerFlag, serverOption } from "./server-option.ts";
import { describeEnd } from "./watch-jobs.ts";

export function statusCommand(): Command {
  return new Command("status")
    .description(
      "Show a document, a batch of heat sheets, or a job with its stages, errors and why it waits; else an overview.",
    )
    .argument("[id]", "of a document, a batch or a job; left out, counts and the latest jobs")
    .option("--json", "print what the server answers, for scripts")
    .addOption(serverOption())
    .addHelpText(
      "after",
      `
Examples:
  $ docmill status
  $ docmill status 0199c1f0-5b1e-7c3a-9d2e-0f4a6b8c1d2e
  $ docmill status 0199c1f0-5b1e-7c3a-9d2e-0f4a6b8c1d2e --json | jq .result`,
    )
    .action(async (id: string | undefined, flags: ServerFlag & { json?: boolean }) => {
      const server = await findServer(flags);
      const print = <Answer>(answer: Answer, describe: (answer: Answer) => string) =>
        process.stdout.write(flags.json ? `${JSON.stringify(answer, null, 2)}\n` : describe(answer));
      if (id !== undefined) {
        const job = await server.readJob({ id }).catch(passOverNotFound);
        const document = job ? undefined : await server.readDocument({ id }).catch(passOverNotFound);
        const batch = job || document ? undefined : await server.readBatch({ id }).catch(passOverNotFound);
        if (job) print(job, describeJob);
        else if (document) print(document, describeDocumentInFull);
        else if (batch) print(batch, describeBatch);
        else throw new DocmillError("NOT_FOUND", `There is no job and no document ${id}, and no batch either.`);
      } else {
        const [stats, jobs] = await Promise.all([server.readStats(), server.listJobs({ limit: 10 })]);
        print({ stats, jobs: jobs.items }, describeOverview);
      }
    });
}

/** The id may be that of something else. */
function passOverNotFound(error: unknown): undefined {
  if (!(error instanceof DocmillError && error.code === "NOT_FOUND")) throw error;
}

function describeDocumentInFull(document: DocumentDetail): string {
  const { title, contentType, size, pageCount, wordCount, progress, job } = document;
  const lines = [
    describeDocument(document).trimEnd(),
    `file       ${contentType ?? "not fetched yet"}${size === null ? "" : `, ${size} bytes`}`,
  ];
  if (title !== null) lines.push(`title      ${title}`);
  if (pageCount !== null) lines.push(`pages      ${pageCount}`);
  if (wordCount !== null) lines.push(`words      ${wordCount}`);
  lines.push(
    `passages   ${document.chunkCount}, ${document.embeddedChunks} with a vector (${document.embeddingModel})`,
  );
  lines.push(`connected  ${document.connectionCount} times`);
  if (progress.failedItems > 0) lines.push(`failed     ${progress.failedItems} of ${progress.totalItems} parts`);
  lines.push(
    `job        ${document.jobId}${job ? `, ${job.status}, attempt ${job.attempts} of ${job.maxAttempts}` : ""}`,
  );
  return `${lines.join("\n")}\n`;
}

function describeJob(job: JobDetail): string {
  const lines = [
    `${job.kind} ${job.id}: ${job.status}`,
    `created    ${job.createdAt}${job.startedAt ? `, started ${job.startedAt}` : ""}${job.completedAt ? `, ended ${job.completedAt}` : ""}`,
    `attempts   ${job.attempts} of ${job.maxAttempts}`,
  ];
  if (job.waiting) lines.push(`waiting    ${job.waiting.explanation}`);
  if (job.status === "running") lines.push(`now        ${describeProgress(job)}`);
  if (job.worker) lines.push(`worker     process ${job.worker.pid} on ${job.worker.host}`);
  for (const { name, status, durationMs } of job.stages) {
    lines.push(`stage      ${name}: ${status}${durationMs === null ? "" : ` in ${seconds(durationMs)}`}`);
  }
  if (job.items.completed + job.items.failed > 0) {
    lines.push(`items      ${job.items.completed} done${job.items.failed > 0 ? `, ${job.items.failed} failed` : ""}`);
  }
  for (const { stage, key, code, error } of job.items.errors)
    lines.push(`item error ${stage} ${key} (${code}): ${error}`);
  for (const { attempt, code, message, createdAt } of job.errorLog) {
    lines.push(`error      attempt ${attempt} at ${createdAt} (${code}): ${message}`);
  }
  if (job.spend.paidCalls + job.spend.hits > 0) {
    lines.push(`spend      ${job.spend.paidCalls} paid calls, ${job.spend.hits} answered from the ledger`);
  }
  const end = job.completedAt === null ? "" : describeEnd(job);
  return `${lines.join("\n")}\n${end}`;
}

function describeOverview({ stats, jobs }: { stats: Stats; jobs: JobSummary[] }): string {
  const counts = jobStates.map((state) => `${stats.jobs[state]} ${state}`).join(", ");
  const unserved = Object.entries(stats.byKind).filter(([, kind]) => !kind.served && kind.pending > 0);
  const lines = [
    `jobs       ${counts}`,
    `workers    ${stats.workers.alive} alive, ${stats.workers.slots} jobs at a time`,
    ...unserved.map(
      ([kind, { pending }]) => `unserved   ${pending} of kind ${kind}: no running process has this pipeline`,
    ),
    ...jobs.map((job) =>
      `${job.status.padEnd(10)} ${job.id} ${job.kind} ${job.status === "running" ? describeProgress(job) : (job.errorMessage ?? "")}`.trimEnd(),
    ),
  ];
  return `${lines.join("\n")}\n`;
}
