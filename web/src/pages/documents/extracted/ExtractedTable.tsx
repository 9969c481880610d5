/** A table as it stands in the document, with its spans, to be shown on its page and taken along as CSV. */
import { Button, Group, Table, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconCopy, IconDownload, IconFocusCentered } from "@tabler/icons-react";
import { useMemo } from "react";
import type { DocumentTableList } from "../../../../../src/contract/documents.ts";
import classes from "./ExtractedTab.module.css";
import { tableKey } from "./found-things.ts";
import { type GridCell, readGrid, toCsv } from "./table-grid.ts";

export interface ExtractedTableProps {
  table: DocumentTableList["items"][number];
  number: number;
  pointed: boolean;
  /** Left out where there are no pages to be shown. */
  onShow?(): void;
}

export function ExtractedTable({ table, number, pointed, onShow }: ExtractedTableProps) {
  const { caption, rows, headerRows, page } = table;
  const grid = useMemo(() => readGrid(rows), [rows]);
  const title = caption ?? `Table ${number}`;
  return (
    <div className={classes.table} id={tableKey(number - 1)} data-pointed={pointed}>
      <Group justify="space-between" gap="xs" mb="xs">
        <Text size="sm" fw={500}>
          {title}{" "}
          {onShow && (
            <Text span size="sm" c="dimmed">
              page {page}
            </Text>
          )}
        </Text>
        <Group gap="xs">
          {onShow && (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconFocusCentered size={14} aria-hidden />}
              onClick={onShow}
              aria-label={`Show on page ${page}: ${title}`}
            >
              Show on page
            </Button>
          )}
          <TakeCsv rows={rows} title={title} />
        </Group>
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className="scroll-x" tabIndex={0} aria-label={title}>
        <Table withTableBorder withColumnBorders verticalSpacing={4} horizontalSpacing="xs" fz="sm">
          {headerRows > 0 && (
            <Table.Thead>
              <Rows rows={grid.slice(0, headerRows)} header />
            </Table.Thead>
          )}
          <Table.Tbody>
            <Rows rows={grid.slice(headerRows)} />
          </Table.Tbody>
        </Table>
      </section>
    </div>
  );
}

function Rows({ rows, header = false }: { rows: readonly GridCell[][]; header?: boolean }) {
  return rows.map((cells, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a table that does not change.
    <Table.Tr key={row}>
      {cells.map((cell) => (
        <Cell key={cell.column} {...cell} header={header} />
      ))}
    </Table.Tr>
  ));
}

function Cell({ text, rowSpan, columnSpan, header }: GridCell & { header: boolean }) {
  const spans = { rowSpan: rowSpan > 1 ? rowSpan : undefined, colSpan: columnSpan > 1 ? columnSpan : undefined };
  // An empty head is the head of nothing.
  if (!header || text === "") return <Table.Td {...spans}>{text}</Table.Td>;
  return (
    <Table.Th {...spans} scope={columnSpan > 1 ? "colgroup" : "col"}>
      {text}
    </Table.Th>
  );
}

/** A page that did not come over https has no clipboard: there it is a file. */
function TakeCsv({ rows, title }: { rows: ExtractedTableProps["table"]["rows"]; title: string }) {
  const clipboard = globalThis.navigator.clipboard as Clipboard | undefined;
  if (!clipboard) {
    return (
      <Button
        component="a"
        href={`data:text/csv;charset=utf-8,${encodeURIComponent(toCsv(rows))}`}
        download={`${title}.csv`}
        size="compact-sm"
        variant="default"
        leftSection={<IconDownload size={14} aria-hidden />}
      >
        CSV
      </Button>
    );
  }
  const copy = () =>
    clipboard.writeText(toCsv(rows)).then(
      () => notifications.show({ message: `${title} is in the clipboard as CSV.`, color: "green" }),
      () => notifications.show({ message: "The browser did not allow it to be copied.", color: "red" }),
    );
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconCopy size={14} aria-hidden />}
      onClick={() => void copy()}
      aria-label={`Copy as CSV: ${title}`}
    >
      Copy as CSV
    </Button>
  );
}
