/** Goes through a list whose end is not known: a page back, a page on. */
import { Button, Group, Text } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";

export interface ListPagingProps {
  page: number;
  hasNext: boolean;
  onPrevious(): void;
  onNext(): void;
}

export function ListPaging({ page, hasNext, onPrevious, onNext }: ListPagingProps) {
  if (page === 1 && !hasNext) return null;
  return (
    <Group component="nav" aria-label="Pages of the list" justify="space-between" mt="md">
      <Button
        variant="default"
        disabled={page === 1}
        leftSection={<IconChevronLeft size={16} aria-hidden />}
        onClick={onPrevious}
      >
        Previous
      </Button>
      <Text size="sm" c="dimmed" aria-live="polite">
        Page {page}
      </Text>
      <Button
        variant="default"
        disabled={!hasNext}
        rightSection={<IconChevronRight size={16} aria-hidden />}
        onClick={onNext}
      >
        Next
      </Button>
    </Group>
  );
}
