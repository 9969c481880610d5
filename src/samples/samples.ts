/** The samples of a server: what someone without files of their own can start, as often as they like. */
import type { StartedSamples } from "../contract/system.ts";
import { findSamples, samplesFolder } from "./find-samples.ts";
import { type SampleServices, startSamples } from "./start-samples.ts";

export interface Samples {
  /** Throws SAMPLES_MISSING. */
  start(idempotencyKey?: string): Promise<StartedSamples>;
}

/** `folder` is where the files are, if not where the build puts them. */
export function openSamples(services: SampleServices, folder = samplesFolder): Samples {
  return {
    start: async (key) => startSamples(services, await findSamples(folder), key),
  };
}
