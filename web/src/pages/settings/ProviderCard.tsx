/** Who does which part of the work, and what somebody else would add. Nothing here is an error: all of it works as it is. */
import { Badge, Group, Text, Title } from "@mantine/core";
import { IconBulb } from "@tabler/icons-react";
import type { SystemInfo } from "../../../../src/contract/system.ts";
import { LoadingRows } from "../../parts/LoadingRows.tsx";
import { CodeWords } from "./CodeWords.tsx";
import { SettingsSection } from "./SettingsSection.tsx";
import classes from "./settings.module.css";

type Provider = SystemInfo["providers"][number];

const uses: Record<Provider["use"], { title: string; does: string }> = {
  database: { title: "Database", does: "Keeps every job, result and event." },
  storage: { title: "Files", does: "Keeps what you upload and what is made of it." },
  search: { title: "Search by meaning", does: "Compares your question with all passages." },
  ocr: { title: "Scans", does: "Reads the words in pictures and scanned pages." },
  extraction: { title: "Documents", does: "Finds text, tables and fields on pages." },
  embeddings: { title: "Meaning", does: "Turns passages into numbers that can be compared." },
  model: { title: "Language model", does: "Judges and writes where rules do not reach." },
  mail: { title: "Mail", does: "Tells people that their heat sheets are read." },
  webhook: { title: "Webhook", does: "Tells other programs that heat sheets are read." },
};

export function ProviderCard({ providers }: { providers: SystemInfo["providers"] | undefined }) {
  return (
    <SettingsSection title="Who does what">
      {providers ? (
        <ul className={classes.providers}>
          {providers.map((provider) => (
            <ProviderLine key={provider.use} {...provider} />
          ))}
        </ul>
      ) : (
        <LoadingRows rows={6} height={40} />
      )}
    </SettingsSection>
  );
}

function ProviderLine({ use, name, hint }: Provider) {
  const { title, does } = uses[use];
  return (
    <li className={classes.provider}>
      <div>
        <Title order={3} size="sm">
          {title}
        </Title>
        <Text size="sm" c="dimmed">
          {does}
        </Text>
      </div>
      <div>{name === null ? <Badge color="gray">not set up</Badge> : <Text size="sm">{name}</Text>}</div>
      {hint !== null && (
        <Group gap={6} wrap="nowrap" align="flex-start">
          <IconBulb size={16} stroke={1.6} aria-hidden className={classes.bulb} />
          <Text size="sm" c="dimmed">
            <CodeWords>{hint}</CodeWords>
          </Text>
        </Group>
      )}
    </li>
  );
}
