/** Every setting: its name, what it is, where that comes from, and what it means. */
import { Badge, Box, Code, Group, Paper, SegmentedControl, Table, Text, TextInput, Title } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useId, useState } from "react";
import { countOf } from "../../parts/format.ts";
import { LoadingRows } from "../../parts/LoadingRows.tsx";
import { CodeWords } from "./CodeWords.tsx";
import { filterSettings, type Setting, type SettingGroup, settingGroups } from "./filter-settings.ts";

const groups = Object.entries(settingGroups).map(([value, { label }]) => ({ value: value as SettingGroup, label }));

export function SettingsCard({ settings }: { settings: readonly Setting[] | undefined }) {
  const heading = useId();
  const [group, setGroup] = useState<SettingGroup>("all");
  const [search, setSearch] = useState("");
  const shown = settings && filterSettings(settings, group, search);
  return (
    <Paper withBorder component="section" aria-labelledby={heading}>
      <Group p="md" gap="sm" justify="space-between">
        <Title order={2} size="h5" id={heading}>
          All settings
        </Title>
        <Group gap="sm">
          <SegmentedControl size="xs" data={groups} value={group} onChange={setGroup} aria-label="Which settings" />
          <TextInput
            size="xs"
            type="search"
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
            placeholder="Search settings"
            aria-label="Search settings"
            leftSection={<IconSearch size={14} aria-hidden />}
          />
        </Group>
      </Group>
      <Text size="sm" c="dimmed" px="md" pb="xs" role="status">
        {shown && countOf(shown.length, "setting")}
      </Text>
      {shown === undefined ? (
        <LoadingRows rows={8} height={36} />
      ) : shown.length === 0 ? (
        <Text size="sm" px="md" pb="md">
          No setting is called that. Try a shorter word, or look among all of them.
        </Text>
      ) : (
        <Table highlightOnHover verticalSpacing="xs" horizontalSpacing="md" layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={{ base: "62%", md: "30%" }}>Setting</Table.Th>
              <Table.Th>Value</Table.Th>
              <Table.Th w={120} visibleFrom="md">
                Set by
              </Table.Th>
              <Table.Th w="40%" visibleFrom="md">
                Meaning
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((setting) => (
              <SettingRow key={setting.env} {...setting} />
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Paper>
  );
}

/** Where there is no room for four columns, two of them are told in the others. */
function SettingRow({ env, value, origin, meaning }: Setting) {
  const badge = <Badge color={origin === "default" ? "gray" : "mill"}>{origin}</Badge>;
  const words = (
    <Text size="sm" c="dimmed">
      <CodeWords>{meaning}</CodeWords>
    </Text>
  );
  return (
    <Table.Tr>
      <Table.Td>
        <Code>{env}</Code>
        <Box hiddenFrom="md" mt={2}>
          {words}
        </Box>
      </Table.Td>
      <Table.Td>
        {value === null ? (
          <Text size="sm" c="dimmed">
            not set
          </Text>
        ) : (
          <Text size="sm" ff="monospace">
            {value}
          </Text>
        )}
        <Box hiddenFrom="md" mt={2}>
          {badge}
        </Box>
      </Table.Td>
      <Table.Td visibleFrom="md">{badge}</Table.Td>
      <Table.Td visibleFrom="md">{words}</Table.Td>
    </Table.Tr>
  );
}
