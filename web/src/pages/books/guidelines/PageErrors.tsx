/** Pages that failed, and why. */
import { List, Spoiler } from "@mantine/core";
import { TextLink } from "../../../parts/ButtonLink.tsx";
import type { PageError } from "../read-progress-detail.ts";

export function PageErrors({ bookId, errors }: { bookId: string; errors: readonly PageError[] }) {
  if (errors.length === 0) return null;
  return (
    <Spoiler maxHeight={120} showLabel={`Show all ${errors.length}`} hideLabel="Show fewer">
      <List size="sm" aria-label="Pages that failed">
        {errors.map(({ page, error }) => (
          <List.Item key={page}>
            <TextLink to="/books/$bookId" params={{ bookId }} search={{ page }} inherit c="inherit" underline="always">
              Page {page}
            </TextLink>
            : {error}
          </List.Item>
        ))}
      </List>
    </Spoiler>
  );
}
