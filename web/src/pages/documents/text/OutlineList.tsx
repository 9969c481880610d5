/** The headings of a document, each of which goes to where it stands. */
import { NavLink, ScrollArea } from "@mantine/core";
import { useEffect, useRef } from "react";
import type { DocumentOutline } from "../../../../../src/contract/documents.ts";

export interface OutlineListProps {
  outline: DocumentOutline["items"];
  /** Where the reader is. */
  offset: number;
  onGo(entry: DocumentOutline["items"][number]): void;
  height: string;
}

export function OutlineList({ outline, offset, onGo, height }: OutlineListProps) {
  const current = outline.findLastIndex((entry) => entry.offset <= offset);
  const top = Math.min(...outline.map(({ level }) => level));
  const active = useRef<HTMLButtonElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows the reader.
  useEffect(() => {
    active.current?.scrollIntoView({ block: "nearest" });
  }, [current]);
  return (
    <ScrollArea.Autosize mah={height} type="auto" scrollbars="y" component="nav" aria-label="Contents">
      {outline.map((entry, index) => (
        <NavLink
          // biome-ignore lint/suspicious/noArrayIndexKey: headings may be alike, and their order is theirs.
          key={index}
          ref={index === current ? active : undefined}
          component="button"
          label={entry.title}
          active={index === current}
          aria-current={index === current ? "location" : undefined}
          onClick={() => onGo(entry)}
          pl={8 + (entry.level - top) * 12}
          py={4}
          noWrap
          title={entry.title}
        />
      ))}
    </ScrollArea.Autosize>
  );
}
