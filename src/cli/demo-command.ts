/**
 * `docmill demo`: starts the samples, shows them being worked on, takes the book to its guidelines and says what there is
 * to see. Whoever stops watching leaves the work running.
 */
import { Command } from "commander";
import type { Connection } from "../contract/documents.ts";
import type { StartedSamples } from "../contract/system.ts";
import { DocmillError } from "../errors.ts";
import { type DemoDisplay, openDemoDisplay } from "./demo-display.ts";
import { addressesOf, type DemoOutcome, describeDemo } from "./describe-demo.ts";
import { exitCodes } from "./exit-codes.ts";
import { silentDisplay } from "./progress-display.ts";
import { runBook } from "./run-book.ts";
import type { ServerClient } from "./server-client.ts";
import { findServer, type ServerFlag, serverOption } from "./server-option.ts";
import { watchBatch } from "./watch-batch.ts";
import { followToEnd, leave, untilInterrupted } from "./watch-jobs.ts";

export function demoCommand(): Command {
  return new Command("demo")
    .description("Try it with samples: documents, heat sheets and a book, worked on before your eyes.")
    .option("--json", "print what came out as JSON, for scripts")
    .addOption(serverOption())
    .addHelpText(
      "after",
      `
Examples:
  $ docmill serve                                    in another terminal
  $ docmill demo
  $ docmill demo --json | jq -r .addresses.book

Everything in the samples is invented. Each run starts them anew; what it made stays until you delete it.
Exit code: 0 all went well, 1 something failed, 3 no server, 130 stopped watching.`,
    )
    .action(async (flags: ServerFlag & { json?: boolean }) => {
      process.exitCode = await runDemo(await findServer(flags), flags.json === true);
    });
}

async function runDemo(server: ServerClient, json: boolean): Promise<number> {
  const samples = await server.startSamples();
  const { documentIds, batchId, bookId } = samples;
  const asides = json ? process.stderr : process.stdout;
  if (!json)
    process.stdout.write(`${documentIds.length} documents, a batch of heat sheets and a book are on their way.\n`);
  let complete = false;
  const stopped = await withDisplay(json, (display) =>
    untilInterrupted(async (signal) => {
      complete = await watchSamples(server, samples, display, signal);
    }),
  ).catch((error: unknown) => {
    throw withPlace(error, server.url);
  });
  if (stopped) {
    const book = `The book's next step is yours: ${server.url}/books/${bookId}`;
    return leave(`The work goes on. Look again: docmill status, or docmill results ${batchId}\n${book}`, asides);
  }
  const outcome = await readOutcome(server, samples);
  if (json) {
    const { documents, contradictions, results, book, guidelines } = outcome;
    const answer = {
      documents,
      contradictions,
      results,
      book,
      guidelines,
      addresses: addressesOf(server.url, outcome),
    };
    process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
  } else process.stdout.write(`\n${describeDemo(server.url, outcome)}`);
  return complete && outcome.batch.batch.status === "completed" ? exitCodes.done : exitCodes.failed;
}

async function withDisplay<Result>(silent: boolean, work: (display: DemoDisplay) => Promise<Result>): Promise<Result> {
  const display = silent ? silentDisplay : openDemoDisplay(process.stdout);
  return work(display).finally(() => display.end());
}

/** Answers whether documents and book came to a good end; how the batch ended is asked afterwards. */
async function watchSamples(
  server: ServerClient,
  { documentIds, batchId, bookId }: StartedSamples,
  display: DemoDisplay,
  signal: AbortSignal,
): Promise<boolean> {
  const [documents, book] = await Promise.all([
    Promise.all(documentIds.map((id) => watchDocument(server, id, display, signal))),
    runBook({ server, bookId, display, signal }),
    watchBatch({ server, batchId, display, signal }),
  ]);
  return book && documents.every((ready) => ready);
}

/** To the end of its processing, and of the search for its connections, which is a job of its own and shown as nothing. */
async function watchDocument(
  server: ServerClient,
  id: string,
  display: DemoDisplay,
  signal: AbortSignal,
): Promise<boolean> {
  const { filename, jobId } = await server.readDocument({ id });
  await followToEnd(server, { ...(await server.readJob({ id: jobId })), label: filename }, display, signal);
  const { items } = await server.listDocumentJobs({ id });
  for (const job of items.filter((one) => one.id !== jobId)) {
    await followToEnd(server, await server.readJob({ id: job.id }), silentDisplay, signal);
  }
  if (signal.aborted) return false;
  const jobs = (await server.listDocumentJobs({ id })).items;
  return jobs.every(({ status }) => status === "COMPLETED");
}

async function readOutcome(server: ServerClient, samples: StartedSamples): Promise<DemoOutcome> {
  const { documentIds, batchId, bookId } = samples;
  return {
    contradictions: await readContradictions(server, documentIds),
    documents: await Promise.all(documentIds.map((id) => server.readDocument({ id }))),
    batch: await server.readBatch({ id: batchId }),
    results: await server.readBatchResults({ id: batchId }),
    book: await server.readBook({ id: bookId }),
    guidelines: await server.readGuidelines({ id: bookId }),
  };
}

/** Of these documents with each other: there may be samples from before. */
async function readContradictions(server: ServerClient, documentIds: readonly string[]): Promise<Connection[]> {
  const found = new Map<string, Connection>();
  for (const documentId of documentIds) {
    const { items } = await server.listConnections({ documentId, type: "contradiction_detection" });
    for (const connection of items) {
      const ends = [connection.source.documentId, connection.target.documentId];
      if (ends.every((id) => documentIds.includes(id))) found.set(connection.id, connection);
    }
  }
  return [...found.values()];
}

/** Whoever loses the server must still learn where the work is to be found again. */
function withPlace(error: unknown, url: string): unknown {
  if (!(error instanceof DocmillError)) return error;
  return new DocmillError(error.code, `${error.message} The samples are there: docmill status, or ${url}`, {
    cause: error,
  });
}
