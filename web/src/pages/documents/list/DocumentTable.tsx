/** Documents as a table; on a phone as cards. */
import { Box, Card, Group, Stack, Table, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import type { DocumentSummary } from "../../../../../src/contract/documents.ts";
import { Ago } from "../../../parts/Ago.tsx";
import { countOf, formatCount } from "../../../parts/format.ts";
import { DocumentActions } from "./DocumentActions.tsx";
import { DocumentName } from "./DocumentName.tsx";
import { DocumentProgress } from "./DocumentProgress.tsx";
import classes from "./DocumentTable.module.css";

export function DocumentTable({ documents }: { documents: readonly DocumentSummary[] }) {
  const narrow = useMediaQuery("(max-width: 62em)", false, { getInitialValueInEffect: false });
  return narrow ? <DocumentCards documents={documents} /> : <WideTable documents={documents} />;
}

function WideTable({ documents }: { documents: readonly DocumentSummary[] }) {
  return (
    <Table highlightOnHover verticalSpacing="xs" horizontalSpacing="md" className={classes.table}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th className={classes.state}>State</Table.Th>
          <Table.Th className={classes.count}>Pages</Table.Th>
          <Table.Th className={classes.count}>Passages</Table.Th>
          <Table.Th className={classes.count}>Fields</Table.Th>
          <Table.Th className={classes.count}>Tables</Table.Th>
          <Table.Th className={classes.added}>Added</Table.Th>
          <Table.Th className={classes.actions}>
            <span className={classes.hiddenLabel}>Actions</span>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {documents.map((document) => (
          <Table.Tr key={document.id}>
            <Table.Td>
              <DocumentName document={document} />
            </Table.Td>
            <Table.Td>
              <DocumentProgress document={document} />
            </Table.Td>
            <Count of={document.pageCount} />
            <Count of={document.chunkCount} />
            <Count of={document.fieldCount} />
            <Count of={document.tableCount} />
            <Table.Td className={classes.added}>
              <Ago at={document.createdAt} c="dimmed" size="sm" />
            </Table.Td>
            <Table.Td>
              <DocumentActions document={document} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** None is a dash: a column of zeros hides the numbers in it. */
function Count({ of }: { of: number | null }) {
  return (
    <Table.Td className={classes.count}>
      {of ? (
        formatCount(of)
      ) : (
        <Text span c="dimmed" size="sm">
          –
        </Text>
      )}
    </Table.Td>
  );
}

function DocumentCards({ documents }: { documents: readonly DocumentSummary[] }) {
  return (
    <Stack component="ul" gap={0} p={0} m={0} className={classes.cards}>
      {documents.map((document) => (
        <Card component="li" key={document.id} p="sm" radius={0} bg="transparent">
          <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
            <div className={classes.cardName}>
              <DocumentName document={document} />
            </div>
            <DocumentActions document={document} />
          </Group>
          <Box mt={6}>
            <DocumentProgress document={document} />
          </Box>
          <Text size="xs" c="dimmed" mt={4}>
            {countsOf(document)}
            added <Ago at={document.createdAt} />
          </Text>
        </Card>
      ))}
    </Stack>
  );
}

function countsOf({ pageCount, chunkCount, fieldCount, tableCount }: DocumentSummary): string {
  const counts = [
    pageCount ? countOf(pageCount, "page") : "",
    chunkCount ? countOf(chunkCount, "passage") : "",
    fieldCount ? countOf(fieldCount, "field") : "",
    tableCount ? countOf(tableCount, "table") : "",
  ].filter((count) => count !== "");
  return counts.map((count) => `${count} · `).join("");
}
