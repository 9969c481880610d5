/** The pipelines a process knows, by kind. */
import { DocmillError } from "../errors.ts";
import type { AnyPipeline } from "./pipeline.ts";

export interface Registry {
  readonly pipelines: readonly AnyPipeline[];
  find(kind: string): AnyPipeline | undefined;
  /** Throws UNKNOWN_KIND, naming those that are known. */
  get(kind: string): AnyPipeline;
}

/** Throws DUPLICATE_KIND if a pipeline of a user's own has a name that Docmill's have. */
export function refuseTakenKinds(own: readonly Pick<AnyPipeline, "kind">[], kinds: readonly string[]): void {
  const taken = own.find(({ kind }) => kinds.includes(kind));
  if (!taken) return;
  throw new DocmillError("DUPLICATE_KIND", `"${taken.kind}" is a pipeline of Docmill's own. Give yours another name.`);
}

export function createRegistry(pipelines: readonly AnyPipeline[]): Registry {
  const byKind = new Map<string, AnyPipeline>();
  const limits = new Map<string, number>();
  for (const pipeline of pipelines) {
    if (byKind.has(pipeline.kind))
      throw new DocmillError("DUPLICATE_KIND", `Two pipelines are named "${pipeline.kind}".`);
    if (pipeline.stages.length === 0) throw new DocmillError("NO_STAGES", `Pipeline "${pipeline.kind}" has no stages.`);
    byKind.set(pipeline.kind, pipeline);
    const { limit } = pipeline.options;
    if (limit && limit.max !== (limits.get(limit.name) ?? limit.max)) {
      throw new DocmillError(
        "LIMIT_CONFLICT",
        `Pipelines disagree on the limit "${limit.name}": ${limits.get(limit.name)} or ${limit.max}?`,
      );
    }
    if (limit) limits.set(limit.name, limit.max);
  }
  return {
    pipelines: [...byKind.values()],
    find: (kind) => byKind.get(kind),
    get(kind) {
      const found = byKind.get(kind);
      if (found) return found;
      const known = [...byKind.keys()].join(", ") || "none";
      throw new DocmillError("UNKNOWN_KIND", `There is no pipeline "${kind}". Known here: ${known}.`);
    },
  };
}
