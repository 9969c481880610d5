/** Looks for PDFs on a meet's web page; a tick puts one on the list of what will be read. */
import { Button, Checkbox, Group, Stack, Text, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { DiscoveredSheets } from "../../../../../src/contract/batches.ts";
import { discoverSheets } from "../../../api/batches.ts";
import type { ApiError } from "../../../api/request.ts";
import { countOf } from "../../../parts/format.ts";
import { WriteButton } from "../../../parts/WriteButton.tsx";

export interface MeetPageFieldProps {
  /** Whether what is found there is on the list of what will be read. */
  isChosen(url: string): boolean;
  disabled: boolean;
  onChoose(sheets: DiscoveredSheets["pdfs"]): void;
  onLeave(urls: readonly string[]): void;
}

export function MeetPageField({ isChosen, disabled, onChoose, onLeave }: MeetPageFieldProps) {
  const [address, setAddress] = useState("");
  const search = useMutation<DiscoveredSheets, ApiError, string>({ mutationFn: discoverSheets });
  const found = search.data?.pdfs;
  const all = found?.every(({ url }) => isChosen(url)) ?? false;
  return (
    <Stack gap="sm">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          search.mutate(withScheme(address.trim()));
        }}
        noValidate
      >
        <Stack gap="xs" align="flex-start">
          <TextInput
            w="100%"
            label="Address of the meet's web page"
            description="We look for PDFs that it links to; you choose which are read."
            type="url"
            inputMode="url"
            autoCapitalize="off"
            value={address}
            disabled={disabled}
            error={search.error?.message}
            onChange={({ currentTarget }) => {
              setAddress(currentTarget.value);
              if (search.error) search.reset();
            }}
          />
          <WriteButton
            type="submit"
            variant="default"
            leftSection={<IconSearch size={16} aria-hidden />}
            loading={search.isPending}
            disabled={disabled || address.trim() === ""}
          >
            Find heat sheets
          </WriteButton>
        </Stack>
      </form>
      {found && (
        <Stack gap="xs" role="group" aria-label="PDFs on the page">
          <Group justify="space-between">
            <Text size="sm" fw={500} role="status">
              {countOf(found.length, "PDF")} found. Choose the heat sheets.
            </Text>
            <Button
              size="compact-sm"
              variant="subtle"
              disabled={disabled}
              onClick={() => (all ? onLeave(found.map(({ url }) => url)) : onChoose(found))}
            >
              {all ? "Choose none" : "Choose all"}
            </Button>
          </Group>
          <Stack gap="xs" mah={320} style={{ overflowY: "auto" }}>
            {found.map((sheet) => (
              <Checkbox
                key={sheet.url}
                label={sheet.title}
                description={sheet.url}
                disabled={disabled}
                checked={isChosen(sheet.url)}
                onChange={({ currentTarget }) => (currentTarget.checked ? onChoose([sheet]) : onLeave([sheet.url]))}
              />
            ))}
          </Stack>
        </Stack>
      )}
    </Stack>
  );
}

/** People copy addresses without it. */
function withScheme(address: string): string {
  return /^[a-z]+:/i.test(address) ? address : `https://${address}`;
}
