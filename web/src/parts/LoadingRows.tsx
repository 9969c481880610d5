/** Holds the place of a list that is being fetched, so that nothing jumps when it comes. */
import { Skeleton, Stack } from "@mantine/core";

export function LoadingRows({ rows = 5, height = 28 }: { rows?: number; height?: number }) {
  return (
    <Stack gap="xs" p="md" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move.
        <Skeleton key={row} height={height} />
      ))}
    </Stack>
  );
}
