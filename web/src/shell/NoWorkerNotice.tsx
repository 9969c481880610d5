/** Says when jobs wait and there is nobody to start them: nothing else on most pages would tell why nothing moves. */
import { Alert } from "@mantine/core";
import { IconServerOff } from "@tabler/icons-react";
import { useActivity } from "../live/ActivityProvider.tsx";
import { TextLink } from "../parts/ButtonLink.tsx";
import { countOf } from "../parts/format.ts";

export function NoWorkerNotice() {
  const { connection, stats, workers } = useActivity();
  const waiting = stats?.jobs.pending ?? 0;
  const isAbandoned = workers !== undefined && !workers.some(({ state }) => state === "alive") && waiting > 0;
  return (
    <div aria-live="polite">
      {connection === "open" && isAbandoned && (
        <Alert color="yellow" mb="md" icon={<IconServerOff aria-hidden />} title="Nobody works on jobs at the moment">
          {countOf(waiting, "job")} {waiting === 1 ? "waits" : "wait"} for a worker.{" "}
          <TextLink to="/workers" size="sm" c="inherit" underline="always">
            How to start one
          </TextLink>
        </Alert>
      )}
    </div>
  );
}
