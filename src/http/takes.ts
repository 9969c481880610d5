/** Whether a list of preferences, as `Accept` and `Accept-Encoding` are, takes something; with `q=0` it refuses it. */
export function takes(header: string, wanted: string): boolean {
  const wholeGroup = wanted.replace(/\/.*/, "/*");
  const weights = new Map(header.split(",").map(readEntry));
  // The most exact entry decides.
  for (const name of [wanted, wholeGroup, "*/*", "*"]) {
    const weight = weights.get(name);
    if (weight !== undefined) return weight > 0;
  }
  return false;
}

function readEntry(entry: string): [name: string, weight: number] {
  const [name = "", ...parameters] = entry.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  return [name, weight === undefined ? 1 : Number(weight) || 0];
}
