/** Labels with their values. A row points at its box; pressed, it turns to its page. */
import { Checkbox, Table, Text, UnstyledButton } from "@mantine/core";
import type { DocumentFieldList } from "../../../../../src/contract/documents.ts";
import { formatPercent } from "../../../parts/format.ts";
import classes from "./ExtractedTab.module.css";
import { fieldKey } from "./found-things.ts";

type Field = DocumentFieldList["items"][number];

export interface FieldTableProps {
  fields: readonly Field[];
  /** The page in view; null where there are no pages to be shown. */
  page: number | null;
  pointed: string | null;
  onPoint(key: string | null): void;
  onShow(key: string, page: number): void;
}

export function FieldTable({ fields, page, pointed, onPoint, onShow }: FieldTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="scroll-x" tabIndex={0} aria-label="Fields">
      <Table verticalSpacing={6} horizontalSpacing="sm" className={classes.fields}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Field</Table.Th>
            <Table.Th>Value</Table.Th>
            <Table.Th className={classes.narrow}>Sure</Table.Th>
            {page !== null && <Table.Th className={classes.narrow}>Page</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {fields.map((field, index) => {
            const key = fieldKey(index);
            return (
              <Table.Tr
                key={key}
                id={key}
                className={classes.row}
                data-pointed={pointed === key}
                onMouseEnter={() => onPoint(key)}
                onMouseLeave={() => onPoint(null)}
              >
                <Table.Td>
                  {page === null || field.box === null ? (
                    <Text size="sm">{field.key}</Text>
                  ) : (
                    <UnstyledButton
                      className={classes.name}
                      onFocus={() => onPoint(key)}
                      onBlur={() => onPoint(null)}
                      onClick={() => onShow(key, field.page)}
                      title="Show on the page"
                    >
                      {field.key}
                    </UnstyledButton>
                  )}
                </Table.Td>
                <Table.Td>
                  <Value field={field} />
                </Table.Td>
                <Table.Td className={classes.narrow}>
                  <Text size="sm" c="dimmed">
                    {formatPercent(field.confidence, 1)}
                  </Text>
                </Table.Td>
                {page !== null && (
                  <Table.Td className={classes.narrow}>
                    <Text size="sm" c={field.page === page ? undefined : "dimmed"}>
                      {field.page}
                    </Text>
                  </Table.Td>
                )}
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </section>
  );
}

function Value({ field: { key, value, kind, normalized } }: { field: Field }) {
  if (kind === "checkbox") {
    const checked = isChecked(normalized ?? value);
    return <Checkbox checked={checked} readOnly size="sm" label={checked ? "ticked" : "not ticked"} aria-label={key} />;
  }
  return (
    <>
      <Text size="sm">{value}</Text>
      {normalized !== null && normalized !== value && (
        <Text size="xs" c="dimmed">
          {normalized}
        </Text>
      )}
    </>
  );
}

function isChecked(value: string): boolean {
  return /^(true|selected|checked|yes|on|x|☒|☑|✓)$/i.test(value.trim());
}
