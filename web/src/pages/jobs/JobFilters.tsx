/** What the list of jobs is narrowed down to: state, kind, age, and a batch that a link has named. */
import { Box, Group, Pill, SegmentedControl, Select } from "@mantine/core";
import type { Stats } from "../../../../src/contract/system.ts";
import { useActivity } from "../../live/ActivityProvider.tsx";
import { formatCount, formatName } from "../../parts/format.ts";
import type { JobsSearch } from "../../router.tsx";
import { ages, jobStates } from "./job-filter.ts";

export interface JobFiltersProps {
  search: JobsSearch;
  onChange(search: JobsSearch): void;
}

export function JobFilters({ search, onChange }: JobFiltersProps) {
  const { stats } = useActivity();
  const change = (part: JobsSearch) => onChange({ ...search, ...part });
  const kinds = Object.keys(stats?.byKind ?? {});
  if (search.kind !== undefined && !kinds.includes(search.kind)) kinds.push(search.kind);
  // Counted are all jobs of a kind, of whatever age and batch.
  const counts = search.batch === undefined && search.age === undefined ? countsOf(stats, search.kind) : undefined;
  const states = [
    { value: "", label: "All" },
    ...jobStates.map((state) => ({ value: state, label: withCount(formatName(state), counts?.[state]) })),
  ];
  const setState = (state: string | null) => change({ state: state || undefined });

  return (
    <Group gap="sm" mb="md" align="center">
      <Box visibleFrom="md">
        <SegmentedControl data={states} value={search.state ?? ""} onChange={setState} aria-label="State" />
      </Box>
      <Box hiddenFrom="md" flex="1 1 140px">
        <Select
          aria-label="State"
          data={states.map(({ value, label }) => ({ value, label: value === "" ? "All states" : label }))}
          value={search.state ?? ""}
          onChange={setState}
          allowDeselect={false}
        />
      </Box>
      <Select
        aria-label="Kind"
        placeholder="All kinds"
        data={kinds.sort().map((kind) => ({ value: kind, label: formatName(kind) }))}
        value={search.kind ?? null}
        onChange={(kind) => change({ kind: kind ?? undefined })}
        clearable
        searchable
        flex="1 1 140px"
        maw={{ md: 220 }}
        clearButtonProps={{ "aria-label": "All kinds" }}
        nothingFoundMessage="No such kind"
      />
      <Select
        aria-label="Age"
        data={[{ value: "", label: "Any age" }, ...ages]}
        value={search.age ?? ""}
        onChange={(age) => change({ age: age || undefined })}
        allowDeselect={false}
        flex="1 1 140px"
        maw={{ md: 170 }}
      />
      {search.batch !== undefined && (
        <Pill
          size="lg"
          withRemoveButton
          onRemove={() => change({ batch: undefined })}
          removeButtonProps={{ "aria-label": "Jobs of all batches", tabIndex: 0, "aria-hidden": false }}
        >
          Batch {search.batch.slice(0, 8)}…
        </Pill>
      )}
    </Group>
  );
}

function countsOf(stats: Stats | undefined, kind: string | undefined) {
  return kind === undefined ? stats?.jobs : stats?.byKind[kind];
}

function withCount(label: string, count: number | undefined): string {
  return count === undefined ? label : `${label} ${formatCount(count)}`;
}
