/** All sheets have ended and there is no swim: says whether the swimmer is in none of them or they could not be read. */
import { Group } from "@mantine/core";
import { IconFileAlert, IconUserSearch } from "@tabler/icons-react";
import type { BatchResults } from "../../../../../src/contract/batches.ts";
import { EmptyState } from "../../../parts/EmptyState.tsx";
import { countOf } from "../../../parts/format.ts";
import { AgainLink } from "./AgainLink.tsx";

export interface NothingFoundProps {
  batchId: string;
  results: BatchResults;
  /** Names in the sheets that are like the one that was given. */
  nearMisses: readonly string[];
}

export function NothingFound({ batchId, results, nearMisses }: NothingFoundProps) {
  const { swimmerName, sources, failedSources } = results;
  const without = failedSources.filter(({ errorCode }) => errorCode === "SWIMMER_NOT_FOUND").length;
  const read = sources.length + without;
  if (read === 0) {
    return (
      <EmptyState icon={<IconFileAlert size={40} />} title="No heat sheet could be read">
        The list of heat sheets says why. Try those again that may work later, or make a new schedule with other files.
      </EmptyState>
    );
  }
  const spelling = nearMisses.length > 0 ? "Is it one of these?" : "Sheets often have a full first name or a nickname.";
  return (
    <EmptyState
      icon={<IconUserSearch size={40} />}
      title={`${swimmerName} is not in ${read === 1 ? "this heat sheet" : "these heat sheets"}`}
      action={
        <Group gap="xs" justify="center" mt="xs">
          {nearMisses.map((name) => (
            <AgainLink key={name} swimmer={name} batchId={batchId}>
              {name}
            </AgainLink>
          ))}
          <AgainLink swimmer={swimmerName} batchId={batchId} variant="default">
            Try another spelling
          </AgainLink>
        </Group>
      }
    >
      {countOf(read, "sheet was", "sheets were")} read and the name stands in none of them. {spelling}
    </EmptyState>
  );
}
