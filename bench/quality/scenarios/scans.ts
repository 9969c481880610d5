/** Scans: the character error rate of what was recognised, beside that of native tesseract as it is installed. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Scenario } from "../../harness/bench.ts";
import { withoutCorpus } from "../../harness/corpus.ts";
import { hasProgram, readOutput } from "../../harness/programs.ts";
import type { Bar } from "../../harness/result.ts";
import { chooseScans } from "../choose-documents.ts";
import { openLibrary } from "../library.ts";
import { loadScans, type Scan } from "../ocr-scores/load-scans.ts";
import { scoreText, type TextScore } from "../ocr-scores/score-text.ts";
import { mean, plainText } from "../plain-text.ts";

/** What no English OCR can read; they are shown and not counted. */
const unreadable = /handwritten|_zh_/;
const drawnDpi = "300";
const leastWordRecall = 0.9;

export const scans: Scenario = {
  name: "scans",
  title: "scans: characters that are wrong, against native tesseract",
  async run(bench) {
    const absent = withoutCorpus(bench, this.name);
    if (absent) return absent;
    const library = await openLibrary(bench);
    const chosen = chooseScans(bench, await loadScans(join(bench.options.corpus, "scans")));
    const { documents, failed } = await library.read(chosen.map(({ path }) => path));
    const canCompare = !bench.options.withoutPeers && (await hasProgram("tesseract")) && (await hasProgram("pdftoppm"));
    const rows: { name: string; ours: TextScore; native: TextScore | undefined }[] = [];
    for (const scan of chosen) {
      const document = documents.find(({ path }) => path === scan.path);
      if (!document) continue;
      const truth = scan.truth.join("\n");
      const native = canCompare ? scoreText(truth, await readNatively(scan)) : undefined;
      rows.push({ name: scan.name, ours: scoreText(truth, plainText(document.markdown)), native });
      bench.say(`  ${scan.name}`);
    }
    const counted = rows.filter(({ name }) => !unreadable.test(name));
    const ours = mean(counted.map((row) => row.ours.characterErrorRate));
    const native = canCompare ? mean(counted.map((row) => row.native?.characterErrorRate ?? Number.NaN)) : undefined;
    const against: Bar = {
      what: "mean character error rate, docmill ÷ tesseract",
      value: native && ours / native,
      sense: "at most",
      bar: 1,
    };
    const missing = bench.options.withoutPeers || canCompare ? [] : ["tesseract or pdftoppm is not installed"];
    return {
      scenario: this.name,
      measured: [
        { case: "mean character error rate", contender: "docmill", unit: "", values: [ours] },
        ...(native === undefined
          ? []
          : [{ case: "mean character error rate", contender: "tesseract", unit: "", values: [native] }]),
      ],
      skipped: [...failed, ...missing],
      tables: [
        {
          title: "character error rate and word recall (handwriting and Chinese are not counted)",
          columns: ["scan", "docmill CER", "word recall", "tesseract CER", "word recall"],
          rows: rows.map((row) => [
            row.name,
            row.ours.characterErrorRate,
            row.ours.wordRecall,
            row.native?.characterErrorRate ?? Number.NaN,
            row.native?.wordRecall ?? Number.NaN,
          ]),
        },
      ],
      bars: [
        ...(bench.options.withoutPeers ? [] : [against]),
        {
          what: "mean word recall",
          value: mean(counted.map((row) => row.ours.wordRecall)),
          sense: "at least",
          bar: leastWordRecall,
        },
      ],
    };
  },
};

/** As anyone would: the picture as it is; pages of a PDF drawn in the resolution tesseract likes. */
async function readNatively({ path }: Scan): Promise<string> {
  if (!path.endsWith(".pdf")) return readOutput("tesseract", [path, "stdout"]);
  const folder = await mkdtemp(join(tmpdir(), "docmill-bench-"));
  try {
    await readOutput("pdftoppm", ["-r", drawnDpi, "-gray", path, join(folder, "page")]);
    const texts: string[] = [];
    for (const page of (await readdir(folder)).sort()) {
      texts.push(await readOutput("tesseract", [join(folder, page), "stdout"]));
    }
    return texts.join("\n");
  } finally {
    await rm(folder, { recursive: true });
  }
}
