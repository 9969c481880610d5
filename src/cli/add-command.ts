/** `docmill add`: uploads documents and watches them, a bar a file. Whoever stops watching leaves the work running. */
import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import { Command, Option } from "commander";
import type { DocumentSummary } from "../contract/documents.ts";
import { DocmillError } from "../errors.ts";
import { exitCodes } from "./exit-codes.ts";
import { findInputs, type Input } from "./find-inputs.ts";
import { openDisplay } from "./job-display.ts";
import { silentDisplay } from "./progress-display.ts";
import { openFile, type ServerClient } from "./server-client.ts";
import { findServer, type ServerFlag, serverOption } from "./server-option.ts";
import { followToEnd, leave, untilInterrupted } from "./watch-jobs.ts";

interface AddFlags extends ServerFlag {
  title?: string;
  ocr?: "auto" | "always" | "never";
  extraction?: "local" | "azure" | "own";
  watch: boolean;
  json?: boolean;
}

/** Uploads under way at the same time: more would only share the same line. */
const uploadsAtOnce = 4;
const triesAgain = 5;

export function addCommand(): Command {
  return new Command("add")
    .description("Upload documents and watch them being read.")
    .argument("<inputs...>", "files, folders, patterns in quotes, or urls")
    .option("--title <text>", "title, if it is a single document")
    .addOption(new Option("--ocr <when>", "when pages are read by OCR").choices(["auto", "always", "never"]))
    .addOption(
      new Option("--extraction <who>", "who reads pages, fields and tables").choices(["local", "azure", "own"]),
    )
    .option("--no-watch", "upload only")
    .option("--json", "print the documents as JSON, for scripts; with watching, as they are in the end")
    .addOption(serverOption())
    .addHelpText(
      "after",
      `
Examples:
  $ docmill add report.pdf
  $ docmill add scans/ "invoices/*.pdf" https://example.com/paper.pdf
  $ docmill add report.pdf --json | jq -r '.[].id'

Ctrl-C stops watching, not the work: docmill status shows how far it is.`,
    )
    .action(async (given: string[], flags: AddFlags) => {
      const inputs = await findInputs(given);
      if (flags.title !== undefined && inputs.length > 1) {
        throw new DocmillError(
          "WRONG_INPUT",
          `--title is for a single document, and these are ${inputs.length}. Leave it out.`,
        );
      }
      const server = await findServer(flags);
      process.exitCode = await addAll(server, inputs, flags);
    });
}

interface Added {
  name: string;
  document?: DocumentSummary;
  error?: DocmillError;
}

async function addAll(server: ServerClient, inputs: readonly Input[], flags: AddFlags): Promise<number> {
  const display = flags.json ? undefined : openDisplay(process.stdout);
  const added: Added[] = [];
  const queue = inputs.values();
  const lane = async (signal: AbortSignal) => {
    for (const input of queue) {
      if (signal.aborted) return;
      const one: Added = { name: nameOf(input) };
      added.push(one);
      try {
        one.document = await addOne(server, input, flags);
      } catch (error) {
        // A server that is not there will not be there for the next file either.
        if (!(error instanceof DocmillError) || error.code === "SERVER_UNREACHABLE") throw error;
        one.error = error;
        display?.say(`${one.name}: ${error.message} (${error.code})`);
      }
    }
  };
  const follow = async ({ name, document }: Added, signal: AbortSignal) => {
    if (!document || !flags.watch) return;
    const job = await server.readJob({ id: document.jobId });
    await followToEnd(server, { ...job, label: name }, display ?? silentDisplay, signal);
  };
  const stopped = await untilInterrupted(async (signal) => {
    await Promise.all(Array.from({ length: uploadsAtOnce }, () => lane(signal)));
    await Promise.all(added.map((entry) => follow(entry, signal)));
  }).finally(() => display?.end());

  const documents = await Promise.all(
    added.flatMap(({ document }) => (document ? [server.readDocument({ id: document.id })] : [])),
  );
  if (flags.json) process.stdout.write(`${JSON.stringify(documents, null, 2)}\n`);
  else process.stdout.write(documents.map(describeDocument).join(""));
  for (const { name, error } of flags.json ? added : []) {
    if (error) process.stderr.write(`docmill: ${name}: ${error.message} (${error.code})\n`);
  }
  if (stopped) {
    const output = flags.json ? process.stderr : process.stdout;
    return leave("The work goes on. Look again: docmill status, or docmill watch", output);
  }
  const failed =
    added.some(({ error }) => error) || documents.some(({ status }) => status === "Failed" || status === "Cancelled");
  return failed ? exitCodes.failed : exitCodes.done;
}

async function addOne(server: ServerClient, input: Input, flags: AddFlags): Promise<DocumentSummary> {
  const { title, ocr, extraction } = flags;
  const options = { ...(ocr && { ocr }), ...(extraction && { extraction }) };
  // Under a key it can be sent again when the server is busy, and is there once all the same.
  const once = { idempotencyKey: randomUUID(), retries: triesAgain };
  if (input.kind === "url") return server.fetchDocument({ url: input.url, title, options }, once);
  const taken = await server.uploadDocuments({ file: await openFile(input.path), title, options }, once);
  return Array.isArray(taken) ? (taken[0] as DocumentSummary) : taken;
}

function nameOf(input: Input): string {
  return input.kind === "file" ? basename(input.path) : input.url;
}

/** What became of a document, in a line or two. */
export function describeDocument(document: DocumentSummary): string {
  const { filename, id, status, pageCount, chunkCount, fieldCount, tableCount, errorCode, errorMessage } = document;
  switch (status) {
    case "Ready": {
      const pages = pageCount === null ? "" : `${pageCount} pages, `;
      return `${filename} ${id}: ready, ${pages}${chunkCount} passages, ${fieldCount} fields, ${tableCount} tables\n`;
    }
    case "Failed":
      return `${filename} ${id}: failed (${errorCode}): ${errorMessage}\n  Try again: docmill retry ${document.jobId}\n`;
    case "Cancelled":
      return `${filename} ${id}: cancelled\n  Start it again: docmill retry ${document.jobId}\n`;
    case "Processing":
      return `${filename} ${id}: ${document.stage}\n`;
  }
}
