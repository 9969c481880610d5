/** Goes from page to page: buttons, the number itself, and the arrow keys anywhere that does not use them itself. */
import { ActionIcon, Group, NumberInput, Text } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { formatCount } from "../../../parts/format.ts";

export interface PageTurnerProps {
  page: number;
  pageCount: number;
  onTurn(page: number): void;
  /** What is turned: "Page" or "Section". */
  unit?: string;
}

export function PageTurner({ page, pageCount, onTurn, unit = "Page" }: PageTurnerProps) {
  const [typed, setTyped] = useState<string | number>(page);
  useEffect(() => setTyped(page), [page]);
  const turnTo = (next: number) => {
    const within = Math.min(Math.max(next, 1), pageCount);
    setTyped(within);
    if (within !== page) onTurn(within);
  };

  useWindowEvent("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || usesArrows(event.target)) return;
    if (event.key === "ArrowLeft") turnTo(page - 1);
    if (event.key === "ArrowRight") turnTo(page + 1);
  });

  const lower = unit.toLowerCase();
  return (
    <Group gap={5} wrap="nowrap" component="nav" aria-label={`${unit}s`}>
      <ActionIcon
        size="lg"
        variant="default"
        disabled={page <= 1}
        onClick={() => turnTo(page - 1)}
        aria-label={`Previous ${lower}`}
        aria-keyshortcuts="ArrowLeft"
      >
        <IconChevronLeft size={18} aria-hidden />
      </ActionIcon>
      <Text size="sm" c="dimmed" visibleFrom="sm">
        {unit}
      </Text>
      <NumberInput
        aria-label={`${unit}, of ${pageCount}`}
        value={typed}
        onChange={setTyped}
        onBlur={() => turnTo(Number(typed) || page)}
        onKeyDown={(event) => event.key === "Enter" && turnTo(Number(typed) || page)}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        w={50}
        styles={{ input: { textAlign: "center", paddingInline: 4 } }}
      />
      <Text size="sm" c="dimmed" className="numbers" style={{ whiteSpace: "nowrap" }}>
        of {formatCount(pageCount)}
      </Text>
      <ActionIcon
        size="lg"
        variant="default"
        disabled={page >= pageCount}
        onClick={() => turnTo(page + 1)}
        aria-label={`Next ${lower}`}
        aria-keyshortcuts="ArrowRight"
      >
        <IconChevronRight size={18} aria-hidden />
      </ActionIcon>
    </Group>
  );
}

/** Fields, tabs, choices and what scrolls sideways. */
function usesArrows(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest("input, textarea, select, [role=tablist], [role=radiogroup], [role=menu], .scroll-x, pre") !== null
  );
}
