/**
 * The merged schedule of a batch, from the first sheet that is read. It is asked for again when another has ended, at most
 * once a second; what was known stays until the new one has come.
 */
import { useThrottledValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { BatchResults, SheetJob } from "../../../../../src/contract/batches.ts";
import { batchResults } from "../../../api/batches.ts";

const restMs = 1_000;

export function useSchedule(batchId: string, jobs: readonly SheetJob[]) {
  const outcome = useThrottledValue(describeOutcome(jobs), restMs);
  const { data, error, refetch } = useQuery({ ...batchResults(batchId, outcome), enabled: outcome !== "" });
  const [known, setKnown] = useState<BatchResults>();
  if (data && data !== known) setKnown(data);
  return { results: data ?? known, error, refetch };
}

/** Which sheets have given something to show, or the reason why not. */
function describeOutcome(jobs: readonly SheetJob[]): string {
  const given = jobs.filter(({ status }) => status === "completed" || status === "failed");
  return given.map(({ sequence, resultCode, errorCode }) => `${sequence}:${resultCode ?? errorCode}`).join(" ");
}
