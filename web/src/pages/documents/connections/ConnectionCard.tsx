/** One connection: its kind and strength, both passages side by side, and what one thinks of it. */
import { Badge, Box, Group, SimpleGrid, Text, Tooltip } from "@mantine/core";
import { IconCheck, IconStar, IconStarFilled, IconX } from "@tabler/icons-react";
import type { Connection, ConnectionChange } from "../../../../../src/contract/documents.ts";
import { formatPercent } from "../../../parts/format.ts";
import { toPlainText } from "../../../parts/plain-text.ts";
import { WriteButton, WriteIcon } from "../../../parts/WriteButton.tsx";
import { describePlace } from "../passages/describe-place.ts";
import classes from "./ConnectionsTab.module.css";
import { endsOf, explain, typeLabels } from "./connection-words.ts";
import { PassageLink } from "./PassageLink.tsx";

export interface ConnectionCardProps {
  connection: Connection;
  documentId: string;
  onJudge(change: ConnectionChange): void;
}

export function ConnectionCard({ connection, documentId, onJudge }: ConnectionCardProps) {
  const { type, strength, user_validated: validated, user_starred: starred } = connection;
  const { own, other } = endsOf(connection, documentId);
  const why = explain(connection);
  const dismissed = validated === false;
  return (
    <li className={classes.card} data-dismissed={dismissed}>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Badge color={type === "contradiction_detection" ? "orange" : "mill"}>{typeLabels[type]}</Badge>
          <Text size="sm" c="dimmed" className="numbers">
            strength {formatPercent(strength, 1)}
          </Text>
          {validated === true && (
            <Badge color="green" leftSection={<IconCheck size={12} aria-hidden />}>
              accepted
            </Badge>
          )}
          {dismissed && (
            <Text size="sm" c="dimmed">
              dismissed
            </Text>
          )}
        </Group>
        <Judging {...{ dismissed, starred, accepted: validated === true, onJudge }} />
      </Group>
      {!dismissed && (
        <>
          {why !== null && (
            <Text size="sm" mt="xs">
              {why}
            </Text>
          )}
          <SimpleGrid cols={{ base: 1, sm: 2 }} mt="xs" spacing="sm">
            <End end={own} title="In this document" />
            <End end={other} title={other.documentTitle} />
          </SimpleGrid>
        </>
      )}
    </li>
  );
}

interface JudgingProps {
  accepted: boolean;
  dismissed: boolean;
  starred: boolean;
  onJudge(change: ConnectionChange): void;
}

function Judging({ accepted, dismissed, starred, onJudge }: JudgingProps) {
  if (dismissed) {
    return (
      <WriteButton size="compact-sm" variant="default" onClick={() => onJudge({ user_validated: null })}>
        Take it back
      </WriteButton>
    );
  }
  return (
    <Group gap={6}>
      <WriteButton
        size="compact-sm"
        variant={accepted ? "light" : "default"}
        leftSection={<IconCheck size={14} aria-hidden />}
        aria-pressed={accepted}
        onClick={() => onJudge({ user_validated: accepted ? null : true })}
      >
        Accept
      </WriteButton>
      <WriteButton
        size="compact-sm"
        variant="default"
        leftSection={<IconX size={14} aria-hidden />}
        onClick={() => onJudge({ user_validated: false })}
      >
        Dismiss
      </WriteButton>
      <Tooltip label={starred ? "Take the star away" : "Star"}>
        <WriteIcon
          color={starred ? "yellow" : "gray"}
          aria-label="Star"
          aria-pressed={starred}
          onClick={() => onJudge({ user_starred: !starred })}
        >
          {starred ? <IconStarFilled size={16} aria-hidden /> : <IconStar size={16} aria-hidden />}
        </WriteIcon>
      </Tooltip>
    </Group>
  );
}

function End({ end, title }: { end: Connection["source"]; title: string }) {
  const place = describePlace(end);
  return (
    <Box className={classes.end}>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="sm" fw={500} truncate>
          {title}
        </Text>
        <Box className={classes.link}>
          <PassageLink end={end} />
        </Box>
      </Group>
      <Text size="xs" c="dimmed" truncate title={place} mih={18}>
        {place}
      </Text>
      <Text size="sm" mt={4} lineClamp={7} className={classes.excerpt}>
        {toPlainText(end.content).trim()}
      </Text>
    </Box>
  );
}
