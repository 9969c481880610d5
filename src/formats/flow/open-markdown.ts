/** Markdown is kept as it is, but for its front matter and line ends. */
import { stripClosingMarks } from "../../layout/strip-closing-marks.ts";
import { decodeText } from "./decode-text.ts";
import type { FlowDocument } from "./flow-document.ts";
import type { FlowLimits } from "./flow-limits.ts";
import { readWhole } from "./read-whole.ts";
import { splitLines } from "./split-lines.ts";

export async function openMarkdown(path: string, limits: FlowLimits): Promise<FlowDocument> {
  const whole = decodeText(await readWhole(path, limits));
  const { body, values } = takeFrontMatter(whole);
  const sections = splitLines(body.replace(/^\n+/, "").trimEnd(), limits.sectionChars);
  const title = values.get("title") ?? readTitle(body);
  return {
    facts: {
      parts: sections.length,
      title,
      author: values.get("author"),
      language: values.get("lang") ?? values.get("language"),
      outline: [],
    },
    readSection: async (part) => sections[part - 1] ?? "",
  };
}

/** The first heading of the first level. */
function readTitle(body: string): string | undefined {
  return stripClosingMarks(/^# .*$/m.exec(body)?.[0].slice(1) ?? "") || undefined;
}

/** YAML between "---" lines at the very top; only plain values on one line are read. */
function takeFrontMatter(markdown: string): { body: string; values: Map<string, string> } {
  const values = new Map<string, string>();
  const matter = /^---[ \t]*\n([\s\S]{0,20000}?\n)?(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(markdown);
  const lines = matter?.[1]?.split("\n") ?? [];
  if (!matter || !lines.some((line) => /^[\w-]+\s*:/.test(line))) return { body: markdown, values };
  for (const line of lines) {
    const pair = /^([\w-]+)\s*:\s*(.+?)\s*$/.exec(line);
    if (pair) values.set((pair[1] as string).toLowerCase(), unquote(pair[2] as string));
  }
  return { body: markdown.slice(matter[0].length), values };
}

function unquote(value: string): string {
  return /^(["']).*\1$/.test(value) ? value.slice(1, -1) : value;
}
