/** Jobs as a table of which only the part in sight exists, so that ten thousand cost no more than forty. */
import { VisuallyHidden } from "@mantine/core";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type Ref, useEffect, useRef } from "react";
import { useNow } from "../../parts/use-now.ts";
import { JobRow, type JobRowProps } from "./JobRow.tsx";
import classes from "./JobTable.module.css";
import type { ShownJob } from "./merge-job-changes.ts";
import { tableRoles } from "./table-roles.ts";
import { useListPlace } from "./use-list-place.ts";

const columns = ["State", "Kind", "Stage and message", "Progress", "Attempts", "Created", "Took", "Actions"];

const rowHeight = 44;
const compactRowHeight = 64;
/** Narrower than this, columns would show nothing but dots. */
const compactBelow = 800;
/** So many rows before the end the next page is asked for. */
const nearTheEnd = 60;

export interface JobTableProps extends Pick<JobRowProps, "onCancel" | "onRetry"> {
  rows: readonly ShownJob[];
  /** Whether the rows are all there are. */
  isAll: boolean;
  /** Called while the end is near. */
  onNearEnd(): void;
  ref?: Ref<HTMLDivElement>;
}

export function JobTable({ rows, isAll, onNearEnd, ref, ...actions }: JobTableProps) {
  const list = useRef<HTMLDivElement>(null);
  const now = useNow(10_000);
  const { top, width } = useListPlace(list);
  const compact = width > 0 && width < compactBelow;
  const height = compact ? compactRowHeight : rowHeight;
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => height,
    getItemKey: (index) => rows[index]?.job.id ?? index,
    overscan: 12,
    scrollMargin: top,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the sizes it keeps are those of the other look.
  useEffect(() => virtualizer.measure(), [virtualizer, height]);

  const shown = virtualizer.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (!isAll && last >= rows.length - nearTheEnd) onNearEnd();
  }, [isAll, last, rows.length, onNearEnd]);

  return (
    <div
      {...tableRoles.table("Jobs", isAll ? rows.length + 1 : "unknown")}
      ref={ref}
      // The focus is put here when what had it goes away.
      tabIndex={-1}
      className={classes.table}
      data-compact={compact || undefined}
    >
      <div {...tableRoles.rowGroup()} className={classes.head}>
        <div {...tableRoles.row(1)} className={classes.header}>
          {columns.map((column) => (
            <div key={column} {...tableRoles.columnHeader()} className={classes.cell}>
              {column === "Actions" ? <VisuallyHidden>{column}</VisuallyHidden> : column}
            </div>
          ))}
        </div>
      </div>
      <div
        {...tableRoles.rowGroup()}
        ref={list}
        className={classes.rows}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {shown.map(({ key, index, start }) => {
          const row = rows[index];
          return (
            row && <JobRow key={key} {...row} index={index} top={start - top} height={height} now={now} {...actions} />
          );
        })}
      </div>
    </div>
  );
}
