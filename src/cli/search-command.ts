/** `docmill search`: passages by words and meaning. */
import { Command } from "commander";
import type { SearchHit } from "../contract/documents.ts";
import { harmless } from "./harmless.ts";
import { findServer, type ServerFlag, serverOption } from "./server-option.ts";

interface SearchFlags extends ServerFlag {
  limit: string;
  document?: string;
  json?: boolean;
}

export function searchCommand(): Command {
  return new Command("search")
    .description("Find passages by their words and by their meaning.")
    .argument("<words...>", "what to look for; quotes keep words together, a minus leaves them out")
    .option("--limit <number>", "how many to show", "10")
    .option("--document <id>", "only in this document")
    .option("--json", "print what the server answers, for scripts")
    .addOption(serverOption())
    .addHelpText(
      "after",
      `
Examples:
  $ docmill search payment terms
  $ docmill search '"notice period" -trial' --limit 3
  $ docmill search who founded the company --json | jq '.items[0]'`,
    )
    .action(async (words: string[], { limit, document, ...flags }: SearchFlags) => {
      const server = await findServer(flags);
      const answer = await server.searchDocuments({ q: words.join(" "), limit: Number(limit), documentId: document });
      if (flags.json) process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
      else process.stdout.write(answer.items.map(describeHit).join("\n") || "Nothing was found.\n");
      if (answer.notice) process.stderr.write(`docmill: ${harmless(answer.notice)}\n`);
    });
}

function describeHit({ document, page, headingPath, snippet }: SearchHit): string {
  const where = [document.title ?? document.filename, page === null ? "" : `page ${page}`, headingPath.join(" › ")];
  return `${harmless(where.filter(Boolean).join(", "))}\n  ${plain(harmless(snippet))}\n`;
}

const bold = { on: "\u001b[1m", off: "\u001b[22m" };

/** The snippet is HTML; a terminal shows what was found in bold, a pipe shows it as it is. */
function plain(snippet: string): string {
  const marks = process.stdout.isTTY ? bold : { on: "", off: "" };
  return snippet
    .replaceAll("<mark>", marks.on)
    .replaceAll("</mark>", marks.off)
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ");
}
