/** Reads what `/metrics` answers, strictly: a line that Prometheus would not take is an error. */

export interface ReadMetrics {
  readonly text: string;
  /** Names, without the endings of histograms. */
  readonly names: ReadonlySet<string>;
  /** The sum over all samples of this name that have these labels; undefined if there are none. */
  value(name: string, labels?: Record<string, string>): number | undefined;
  /** All values that this label has. */
  labelValues(name: string, label: string): Set<string>;
}

interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const sampleLine = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? ([Nn]a[Nn]|[+-]?Inf|[+-]?[\d.]+(?:e[+-]?\d+)?)$/;
const labelPair = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\.)*)"(,|$)/y;

export async function scrape(url: string, headers: Record<string, string> = {}): Promise<ReadMetrics> {
  const response = await fetch(url, { headers });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  return readMetrics(text);
}

export function readMetrics(text: string): ReadMetrics {
  const lines = text.split("\n").filter((line) => line !== "");
  const samples = lines.filter((line) => !line.startsWith("#")).map(readSample);
  const names = lines.flatMap((line) => /^# TYPE (\S+) (counter|gauge|histogram|summary)$/.exec(line)?.[1] ?? []);
  const find = (name: string, labels: Record<string, string> = {}) =>
    samples.filter(
      (sample) =>
        sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
    );
  return {
    text,
    names: new Set(names),
    value(name, labels) {
      const found = find(name, labels);
      return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
    },
    labelValues: (name, label) => new Set(find(name).map(({ labels }) => labels[label] ?? "")),
  };
}

function readSample(line: string): Sample {
  const [, name, pairs = "", value] = sampleLine.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new Error(`not a sample: ${line}`);
  const labels: Record<string, string> = {};
  for (labelPair.lastIndex = 0; labelPair.lastIndex < pairs.length; ) {
    const [, label, text] = labelPair.exec(pairs) ?? [];
    if (label === undefined || text === undefined) throw new Error(`labels cannot be read: ${line}`);
    labels[label] = text;
  }
  return { name, labels, value: Number(value.replace("Inf", "Infinity")) };
}
