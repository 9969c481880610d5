/**
 * Sends a new schedule with progress. Trying again what may have arrived goes under the same key, so it never makes a
 * second one; a form that was changed gets a key of its own.
 */
import { useEffect, useRef, useState } from "react";
import type { BatchCreated } from "../../../../../src/contract/batches.ts";
import { startBatch } from "../../../api/batches.ts";
import { newIdempotencyKey } from "../../../api/idempotency-key.ts";
import type { ApiError } from "../../../api/request.ts";
import { sayNotSent } from "../../../parts/say-not-sent.ts";
import { type ChosenSheet, filesOf, urlsOf } from "./chosen-sheets.ts";

interface ScheduleForm {
  swimmer: string;
  sheets: readonly ChosenSheet[];
  email: string;
}

export interface Sending {
  /** Between 0 and 1; undefined while nothing is sent. */
  share: number | undefined;
  send(form: ScheduleForm): Promise<BatchCreated | ApiError>;
  stop(): void;
}

export function useSendSheets(): Sending {
  const [share, setShare] = useState<number>();
  const attempt = useRef({ content: "", key: "" });
  const stopping = useRef<AbortController>(undefined);
  useEffect(() => () => stopping.current?.abort(), []);

  const send = async ({ swimmer, sheets, email }: ScheduleForm) => {
    const content = JSON.stringify([swimmer, email, sheets.map(({ id }) => id)]);
    if (attempt.current.content !== content) attempt.current = { content, key: newIdempotencyKey() };
    stopping.current = new AbortController();
    setShare(0);
    try {
      const schedule = { swimmer, files: filesOf(sheets), urls: urlsOf(sheets), notifyEmail: email };
      return await startBatch(schedule, {
        headers: { "idempotency-key": attempt.current.key },
        signal: stopping.current.signal,
        onProgress: setShare,
      });
    } catch (error) {
      sayNotSent(error as ApiError, "The heat sheets were not sent");
      return error as ApiError;
    } finally {
      setShare(undefined);
    }
  };

  return { share, send, stop: () => stopping.current?.abort() };
}
