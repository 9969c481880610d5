/**
 * A language model that reads textbooks by simple rules of its own, the same every time: a page that begins with a
 * numbered title opens a subtopic, any other continues the last; names lose their numbers; subtopics of one name are one.
 */
interface Question {
  text: string;
  schema?: { properties?: Record<string, unknown> };
}

export function answerAboutBooks({ text, schema }: Question): unknown {
  const asked = new Set(Object.keys(schema?.properties ?? {}));
  if (asked.has("lines")) return { lines: [{ text: "What the page says", box: null }] };
  if (asked.has("decision")) return readPage(text);
  if (asked.has("duplicates")) return { duplicates: findSame(text) };
  if (asked.has("guidelines")) return { summary: summarise(text), guidelines: write(text) };
  if (asked.has("topic_title"))
    return { topic_title: unnumbered(text, "Topic"), subtopic_title: unnumbered(text, "Subtopic") };
  return { summary: summarise(text) };
}

function readPage(text: string) {
  const [, number = "0", page = ""] = /\nPage (\d+):\n(.*)$/s.exec(text) ?? [];
  const [, topic] = /^Chapter \d+: (.+)$/m.exec(page) ?? [];
  const [, title] = /^\d+\.\d+ (.+)$/m.exec(page) ?? [];
  const [, last = "Introduction"] = /^Last topic: (.+)$/m.exec(text) ?? [];
  const summary = `Page ${number} in short: ${page.trim().split("\n").at(-1)}`;
  if (page.includes("This page is left blank")) return { summary, decision: "skip", confidence: 1, reason: "blank" };
  if (title === undefined) return { summary, decision: "continue", confidence: 0.8, reason: "goes on" };
  return {
    summary,
    decision: "new",
    topic_title: topic ? `Chapter: ${topic}` : last,
    subtopic_title: `No. ${title}`,
    confidence: 0.9,
    reason: "a title",
  };
}

function write(text: string): string {
  const before = /Guidelines so far:\n(.*?)\n\nPage /s.exec(text)?.[1];
  const parts = [...text.matchAll(/(?:First|Second):\nTopic: .*?\n\n(.*?)(?=\n\nSecond:|$)/gs)].map(([, part]) => part);
  const page = /\n\nPage (\d+):\n(.*)$/s.exec(text);
  return [before, ...parts, page && `- page ${page[1]}: ${page[2]?.trim().replaceAll("\n", " ")}`]
    .filter(Boolean)
    .join("\n");
}

function summarise(text: string): string {
  const [, title] = /^Subtopic: (.+)$/m.exec(text) ?? [];
  return `${title} explained to a class step by step, with an example, an exercise for everyone and a check of what was learned at the end.`;
}

function unnumbered(text: string, what: string): string {
  const [, title = "Untitled"] = new RegExp(`^${what}: (.+)$`, "m").exec(text) ?? [];
  return title.replace(/^(No\. |Chapter: )/, "");
}

function findSame(text: string) {
  const titles = [...text.matchAll(/^(\d+)\. .+? \/ (.+?) \(pages/gm)].map(([, n, title]) => ({ n: Number(n), title }));
  return titles.flatMap(({ n, title }) => {
    const first = titles.find((other) => other.title === title);
    return first && first.n < n ? [{ keep: first.n, drop: n, reason: "same concept" }] : [];
  });
}
