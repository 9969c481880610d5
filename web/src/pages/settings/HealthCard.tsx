/** Whether the server can do its work, check by check. */
import { Button, Group, Text } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { Readiness } from "../../../../src/contract/system.ts";
import { readiness } from "../../api/system.ts";
import { Ago } from "../../parts/Ago.tsx";
import { ErrorNotice } from "../../parts/ErrorNotice.tsx";
import { formatName } from "../../parts/format.ts";
import { LoadingRows } from "../../parts/LoadingRows.tsx";
import { StateBadge } from "../../parts/StateBadge.tsx";
import { SettingsSection } from "./SettingsSection.tsx";
import classes from "./settings.module.css";

const names: Record<string, string> = {
  database: "Database",
  migrations: "Schema of the database",
  storage: "File storage",
};

export function HealthCard() {
  const { data, error, refetch, isFetching, dataUpdatedAt } = useQuery(readiness);
  return (
    <SettingsSection
      title="Health"
      action={
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={14} aria-hidden />}
          loading={isFetching}
          onClick={() => void refetch()}
        >
          Look again
        </Button>
      }
    >
      <div aria-live="polite">
        {error ? (
          <ErrorNotice title="Nobody answers" error={error} />
        ) : data ? (
          <>
            <ul className={classes.checks}>
              {Object.entries(data.checks).map(([name, check]) => (
                <CheckLine key={name} name={names[name] ?? formatName(name)} check={check} />
              ))}
            </ul>
            <Text size="xs" c="dimmed" mt="xs">
              Looked at <Ago at={new Date(dataUpdatedAt).toISOString()} />
            </Text>
          </>
        ) : (
          <LoadingRows rows={3} height={20} />
        )}
      </div>
    </SettingsSection>
  );
}

function CheckLine({ name, check: { ok, message } }: { name: string; check: Readiness["checks"][string] }) {
  return (
    <li>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="sm">{name}</Text>
        <StateBadge state={ok ? "ready" : "failed"} label={ok ? "fine" : "not working"} />
      </Group>
      {message && (
        <Text size="sm" c="dimmed">
          {message}
        </Text>
      )}
    </li>
  );
}
