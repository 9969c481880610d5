/** Which Docmill this is, since when, and who works for it. */
import { Anchor, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { SystemInfo } from "../../../../src/contract/system.ts";
import { useActivity } from "../../live/ActivityProvider.tsx";
import { TextLink } from "../../parts/ButtonLink.tsx";
import { countOf, formatDateTime } from "../../parts/format.ts";
import { useNow } from "../../parts/use-now.ts";
import { formatUptime } from "./format-uptime.ts";
import { SettingsSection } from "./SettingsSection.tsx";
import classes from "./settings.module.css";

export function ServerCard({ info }: { info: SystemInfo | undefined }) {
  const now = useNow(1_000);
  const { stats } = useActivity();
  return (
    <SettingsSection title="This server">
      <dl className={classes.facts}>
        <Fact name="Version">{info?.version}</Fact>
        <Fact name="Up for">
          {info && <span title={`Since ${formatDateTime(info.startedAt)}`}>{formatUptime(info.startedAt, now)}</span>}
        </Fact>
        <Fact name="Workers">
          {stats && (
            <TextLink to="/workers" size="sm">
              {countOf(stats.workers.alive, "process", "processes")}, {countOf(stats.workers.slots, "job")} at a time
            </TextLink>
          )}
        </Fact>
        <Fact name="API">
          {/* A page of its own, outside the app's routes. */}
          <Anchor href="/docs" size="sm">
            All operations, to read and to try
          </Anchor>
        </Fact>
      </dl>
    </SettingsSection>
  );
}

/** A line stands for what is not known yet. */
function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" size="sm" m={0} className="numbers">
        {children ?? "–"}
      </Text>
    </>
  );
}
