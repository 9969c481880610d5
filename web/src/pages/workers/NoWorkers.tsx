/** Nobody works: says what that means and how to start a worker. */
import { Code } from "@mantine/core";
import { IconServer2 } from "@tabler/icons-react";
import { EmptyState } from "../../parts/EmptyState.tsx";

export function NoWorkers() {
  return (
    <EmptyState icon={<IconServer2 size={40} stroke={1.4} />} title="No worker runs">
      Jobs wait until one does, and none is lost; a book's job that nobody starts for two minutes fails, and can be
      resumed. Start <Code>docmill worker</Code> with the server's DATABASE_URL, or start the server again without{" "}
      <Code>--no-workers</Code>.
    </EmptyState>
  );
}
