/** The keys of this server: as a table, and as cards where there is no room for one. */
import { Badge, Button, Code, Group, Paper, Stack, Table, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ApiKey } from "../../../../../src/contract/access.ts";
import { scopeWords } from "../../../access/scope-words.ts";
import { apiKeys } from "../../../api/access.ts";
import { Ago } from "../../../parts/Ago.tsx";
import { ErrorNotice } from "../../../parts/ErrorNotice.tsx";
import { LoadingRows } from "../../../parts/LoadingRows.tsx";
import { isUsable } from "./is-usable.ts";
import { NewKeyDialog } from "./NewKeyDialog.tsx";
import { RevokeButton } from "./RevokeButton.tsx";

export function KeyList() {
  const { data, error, refetch } = useQuery(apiKeys);
  const [opened, dialog] = useDisclosure(false);
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Title order={3} size="sm">
          Keys
        </Title>
        <Button size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={dialog.open}>
          New key
        </Button>
      </Group>
      {data ? (
        data.items.length > 0 ? (
          <Keys keys={data.items} />
        ) : (
          <Text size="sm" c="dimmed">
            There are no keys yet.
          </Text>
        )
      ) : error ? (
        <ErrorNotice title="The keys could not be fetched" error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingRows rows={3} />
      )}
      <NewKeyDialog opened={opened} onClose={dialog.close} />
    </>
  );
}

function Keys({ keys }: { keys: readonly ApiKey[] }) {
  return (
    <>
      <Table verticalSpacing="xs" visibleFrom="lg">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Scope</Table.Th>
            <Table.Th>Begins with</Table.Th>
            <Table.Th>Created</Table.Th>
            <Table.Th>Last used</Table.Th>
            <Table.Th>Expires</Table.Th>
            <Table.Th>Revoked</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keys.map((key) => (
            <Table.Tr key={key.id}>
              <Table.Td>
                <KeyName apiKey={key} />
              </Table.Td>
              <Table.Td>
                <Scope apiKey={key} />
              </Table.Td>
              <Table.Td>
                <Code>{key.prefix}</Code>
              </Table.Td>
              <Table.Td>
                <Ago at={key.createdAt} />
              </Table.Td>
              <Table.Td>{key.lastUsedAt === null ? "never" : <Ago at={key.lastUsedAt} />}</Table.Td>
              <Table.Td>{key.expiresAt === null ? "never" : <Ago at={key.expiresAt} />}</Table.Td>
              <Table.Td>
                <Revocation apiKey={key} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Stack gap="xs" hiddenFrom="lg">
        {keys.map((key) => (
          <Paper key={key.id} withBorder p="sm">
            <Group justify="space-between" gap="xs" align="flex-start">
              <Group gap="xs">
                <KeyName apiKey={key} />
                <Scope apiKey={key} />
                <Code>{key.prefix}</Code>
              </Group>
              <Revocation apiKey={key} />
            </Group>
            <Text size="sm" c="dimmed" mt={4}>
              Created <Ago at={key.createdAt} />
              {key.lastUsedAt === null ? ", never used" : [", used ", <Ago key="used" at={key.lastUsedAt} />]}
              {key.expiresAt !== null && [
                isUsable(key) ? ", expires " : ", expired ",
                <Ago key="end" at={key.expiresAt} />,
              ]}
            </Text>
          </Paper>
        ))}
      </Stack>
    </>
  );
}

/** One that is of no use any more is paler. */
function KeyName({ apiKey }: { apiKey: ApiKey }) {
  return (
    <Text size="sm" fw={500} c={isUsable(apiKey) ? undefined : "dimmed"} style={{ overflowWrap: "anywhere" }}>
      {apiKey.name}
    </Text>
  );
}

function Scope({ apiKey }: { apiKey: ApiKey }) {
  return (
    <Badge color={isUsable(apiKey) ? undefined : "gray"} title={scopeWords[apiKey.scope]}>
      {apiKey.scope}
    </Badge>
  );
}

function Revocation({ apiKey }: { apiKey: ApiKey }) {
  return apiKey.revokedAt === null ? (
    <RevokeButton apiKey={apiKey} />
  ) : (
    <Text size="sm" c="dimmed">
      revoked <Ago at={apiKey.revokedAt} />
    </Text>
  );
}
