/**
 * A batch as it is now. Its stream is over once it has ended; it is followed again when somebody tries sheets again, here
 * or elsewhere, of which the stream of the whole server tells.
 */
import { useCallback, useEffect, useReducer, useState } from "react";
import { isEnded } from "../../../../../src/contract/states.ts";
import { batchStreamUrl } from "../../../api/batches.ts";
import { useJobChanges } from "../../../live/ActivityProvider.tsx";
import type { StreamState } from "../../../live/open-event-stream.ts";
import { useEventStream } from "../../../live/use-event-stream.ts";
import { applyBatchEvent, type BatchEvent, type BatchPicture } from "./apply-batch-event.ts";

export interface FollowedBatch {
  /** Undefined until the server has told. */
  picture: BatchPicture | undefined;
  connection: StreamState;
  /** Has the server tell everything anew, and follows from there. */
  lookAgain(): void;
}

export function useBatch(id: string): FollowedBatch {
  const [picture, apply] = useReducer(applyBatchEvent, undefined);
  // A new address is a new stream, which begins with a state_sync.
  const [look, setLook] = useState(0);
  const connection = useEventStream(batchStreamUrl(id, look), ({ data }) => apply(data as BatchEvent));
  const lookAgain = useCallback(() => setLook((looks) => looks + 1), []);

  const unclear = picture?.unclear ?? false;
  useEffect(() => {
    if (unclear) lookAgain();
  }, [unclear, lookAgain]);

  const ended = picture !== undefined && !isUnderWay(picture);
  useJobChanges((jobs, complete) => {
    const reopened = jobs.some(({ batchId, status }) => batchId === id && !isEnded(status));
    if (ended && (reopened || !complete)) lookAgain();
  });

  return { picture, connection, lookAgain };
}

export function isUnderWay({ batch: { status } }: Pick<BatchPicture, "batch">): boolean {
  return status === "pending" || status === "running";
}
