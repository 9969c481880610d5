/** Narrows the list down: by name, state and format, and says in which order. All of it is in the address. */
import { CloseButton, Group, Select, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import type { DocumentQuery } from "../../../../../src/contract/documents.ts";
import { useTypedText } from "../../../parts/use-typed-text.ts";
import type { DocumentsSearch } from "../../../router.tsx";
import { formatOptions } from "../formats.ts";
import { sortOptions, stateOptions } from "./list-query.ts";

export interface DocumentFiltersProps {
  query: Partial<DocumentQuery>;
  onChange(change: Omit<DocumentsSearch, "after">): void;
}

export function DocumentFilters({ query: { q = "", status, format, sort }, onChange }: DocumentFiltersProps) {
  const typed = useTypedText(q, (text) => onChange({ q: text }));
  return (
    <Group gap="xs" mb="md" component="search">
      <TextInput
        aria-label="Search by name or title"
        placeholder="Search by name or title"
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={
          typed.text !== "" && <CloseButton size="sm" aria-label="Clear the search" onClick={() => typed.commit("")} />
        }
        value={typed.text}
        onChange={({ currentTarget }) => typed.type(currentTarget.value)}
        onKeyDown={({ key }) => key === "Enter" && typed.commit(typed.text)}
        flex="1 1 240px"
      />
      <Select
        aria-label="State"
        placeholder="Any state"
        data={[...stateOptions]}
        value={status ?? null}
        onChange={(value) => onChange({ status: value ?? undefined })}
        clearable
        flex="1 1 130px"
        maw={{ sm: 180 }}
      />
      <Select
        aria-label="Format"
        placeholder="Any format"
        data={formatOptions}
        value={format ?? null}
        onChange={(value) => onChange({ format: value ?? undefined })}
        clearable
        flex="1 1 130px"
        maw={{ sm: 180 }}
      />
      <Select
        aria-label="Order"
        data={[...sortOptions]}
        value={sort ?? "newest"}
        onChange={(value) => onChange({ sort: value ?? undefined })}
        allowDeselect={false}
        flex="1 1 130px"
        maw={{ sm: 180 }}
      />
    </Group>
  );
}
