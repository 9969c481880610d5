/** Made-up schedules of a swimmer who does not exist, of which a test names what it is about. */
import type { BatchResults, BatchSummary, MergedSwimEvent, SheetJob } from "../../../../src/contract/batches.ts";

const swimmer = "Nora Seewald";

export function makeBatch(rest: Partial<BatchSummary> = {}): BatchSummary {
  return {
    id: "batch",
    swimmerName: swimmer,
    status: "pending",
    totalJobs: 2,
    completedJobs: 0,
    failedJobs: 0,
    withoutSwimmer: 0,
    lastEventId: 0,
    createdAt: "2031-06-14T06:00:00.000Z",
    startedAt: null,
    completedAt: null,
    expiresAt: "2031-07-14T06:00:00.000Z",
    ...rest,
  };
}

export function makeSheet(sequence: number, rest: Partial<SheetJob> = {}): SheetJob {
  return {
    id: `sheet-${sequence}`,
    sequence,
    filename: `sheet-${sequence}.pdf`,
    sourceUrl: null,
    status: "pending",
    stage: "queued",
    progressMessage: null,
    resultCode: null,
    meetName: null,
    eventCount: null,
    cached: false,
    error: null,
    errorCode: null,
    retriable: false,
    retryCount: 0,
    ...rest,
  };
}

export function makeSwim(eventNumber: number, rest: Partial<MergedSwimEvent> = {}): MergedSwimEvent {
  const source = { sequence: 1, page: 2, bbox: null, by: "parser" } as const;
  return {
    eventNumber,
    eventName: `Girls 11-12 ${eventNumber}00 Freestyle`,
    heatNumber: 3,
    totalHeats: 5,
    lane: 4,
    swimmerName: "Seewald, Nora",
    team: "DOLF",
    seedTime: "1:12.40",
    heatStartTime: "09:06",
    sessionDate: "2031-06-14",
    sessionName: "Saturday Morning",
    source,
    sources: [source],
    ...rest,
  };
}

export function makeResults(rest: Partial<BatchResults> = {}): BatchResults {
  const events = rest.events ?? [makeSwim(1)];
  return {
    success: true,
    swimmerName: swimmer,
    totalEvents: events.length,
    sources: [
      {
        sequence: 1,
        filename: "sheet-1.pdf",
        sourceUrl: null,
        meetName: "Harbour Cup",
        sessionDate: "2031-06-14",
        meetDateRange: "2031-06-14 - 2031-06-15",
        venue: "Imaginary Pool",
        eventCount: events.length,
        resultCode: "AbCd1234",
        cached: false,
      },
    ],
    events,
    warnings: [],
    failedSources: [],
    ...rest,
  };
}
