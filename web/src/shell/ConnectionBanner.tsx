/** Says when the server cannot be reached, and that the work goes on without this page. */
import { Alert, Loader } from "@mantine/core";
import { useActivity } from "../live/ActivityProvider.tsx";

export function ConnectionBanner() {
  const { connection } = useActivity();
  return (
    <div aria-live="polite">
      {connection === "lost" && (
        <Alert color="yellow" mb="md" icon={<Loader size="xs" color="currentColor" />} title="Connection lost">
          Trying to reach the server again. Work that was started goes on without this page, and it catches up by
          itself.
        </Alert>
      )}
    </div>
  );
}
