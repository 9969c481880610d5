/** How this server is set up: what it runs on, whether it is well, who may use it, who does what for it, and every setting. */
import { SimpleGrid, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { systemInfo } from "../../api/system.ts";
import { useActivity } from "../../live/ActivityProvider.tsx";
import { ErrorNotice } from "../../parts/ErrorNotice.tsx";
import { PageHeader } from "../../parts/PageHeader.tsx";
import { AccessCard } from "./access/AccessCard.tsx";
import { HealthCard } from "./HealthCard.tsx";
import { ProviderCard } from "./ProviderCard.tsx";
import { ServerCard } from "./ServerCard.tsx";
import { SettingsCard } from "./SettingsCard.tsx";

export function SettingsPage() {
  const { data: info, error, refetch } = useQuery(systemInfo);
  const { connection } = useActivity();
  return (
    <>
      <PageHeader
        title="Settings"
        description="What this server was started with. To change something, set it where the server is started, and restart it."
      />
      <Stack gap="md">
        {error && !info && connection === "open" && (
          <ErrorNotice title="The settings could not be fetched" error={error} onRetry={() => void refetch()} />
        )}
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
          <ServerCard info={info} />
          <HealthCard />
        </SimpleGrid>
        <AccessCard />
        <ProviderCard providers={info?.providers} />
        <SettingsCard settings={info?.settings} />
      </Stack>
    </>
  );
}
