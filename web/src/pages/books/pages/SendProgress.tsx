/** Scans on their way to the server. */
import { Button, Group, Progress, Text } from "@mantine/core";
import { countOf, formatBytes } from "../../../parts/format.ts";

export interface SendProgressProps {
  files: readonly File[];
  share: number;
  onStop(): void;
}

export function SendProgress({ files, share, onStop }: SendProgressProps) {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return (
    <div>
      <Progress value={share * 100} size="lg" animated={share === 1} aria-label="Upload" />
      <Group justify="space-between" mt={4}>
        <Text size="sm" c="dimmed" className="numbers">
          {share === 1
            ? "All sent. The server takes them in …"
            : `Sending ${countOf(files.length, "image")}: ${formatBytes(share * bytes)} of ${formatBytes(bytes)} (${Math.floor(share * 100)} %)`}
        </Text>
        <Button size="compact-sm" variant="default" onClick={onStop}>
          Stop
        </Button>
      </Group>
    </div>
  );
}
