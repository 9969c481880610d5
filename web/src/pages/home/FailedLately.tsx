/** What failed of late: which, why, and the button that puts it right. */
import { Group, Text } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { batchKeys } from "../../api/batches.ts";
import { documentKeys } from "../../api/documents.ts";
import { jobKeys } from "../../api/jobs.ts";
import { Ago } from "../../parts/Ago.tsx";
import { ButtonLink, TextLink } from "../../parts/ButtonLink.tsx";
import { useAction } from "../../parts/use-action.ts";
import { WriteButton } from "../../parts/WriteButton.tsx";
import type { Failure } from "./describe-failures.ts";
import { fixFailure } from "./fix-failure.ts";
import classes from "./HomeSection.module.css";
import { HomeSection } from "./HomeSection.tsx";
import { useFailures } from "./use-failures.ts";

const mostLines = 5;

export function FailedLately() {
  const { failures, answers } = useFailures();
  return (
    <HomeSection
      title="Failed lately"
      answers={answers}
      isEmpty={failures.length === 0}
      empty={
        <Text size="sm" c="dimmed" px="md" pb="md">
          Nothing has failed in the last seven days.
        </Text>
      }
      more={
        failures.length > mostLines && (
          <TextLink to="/jobs" search={{ state: "failed" }} size="sm">
            All that failed
          </TextLink>
        )
      }
    >
      <ul className={classes.lines}>
        {failures.slice(0, mostLines).map((failure) => (
          <FailureLine key={failure.key} failure={failure} />
        ))}
      </ul>
    </HomeSection>
  );
}

function FailureLine({ failure: { title, link, why, at, fix } }: { failure: Failure }) {
  const retry = useAction({ run: fixFailure, outdates: [documentKeys.list, batchKeys.list, jobKeys.all] });
  return (
    <li className={classes.line}>
      <Group gap="xs" align="flex-start">
        <div className={classes.words}>
          <TextLink {...link} size="sm" fw={500} truncate display="block">
            {title}
          </TextLink>
          <Text size="sm" lineClamp={3} title={why}>
            {why}
          </Text>
          <Text size="xs" c="dimmed">
            <Ago at={at} />
          </Text>
        </div>
        {fix.by === "hand" ? (
          <ButtonLink {...link} size="xs" variant="default" aria-label={`${fix.verb}: ${title}`}>
            {fix.verb}
          </ButtonLink>
        ) : (
          <WriteButton
            size="xs"
            variant="default"
            leftSection={<IconRefresh size={14} aria-hidden />}
            loading={retry.isPending}
            onClick={() => retry.mutate(fix)}
            aria-label={`Try again: ${title}`}
          >
            Try again
          </WriteButton>
        )}
      </Group>
    </li>
  );
}
