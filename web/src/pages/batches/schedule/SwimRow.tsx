/** One swim: when, what, and where to stand. */
import { Badge, Text, VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import type { SwimEvent } from "../../../../../src/contract/batches.ts";
import styles from "./Schedule.module.css";
import { describeSwim, formatPlace, formatStart, plainName } from "./swim-words.ts";

export function SwimRow({ event, source }: { event: SwimEvent; source: string }) {
  const { eventNumber, eventName, heatNumber, totalHeats, lane, rank, seedTime, relay } = event;
  return (
    <li className={styles.swim}>
      <div className={styles.event}>
        <Text size="xs" c="dimmed">
          Event {eventNumber}
        </Text>
        <Text fw={600} lh={1.35}>
          {eventName}
        </Text>
        <Text size="sm" c="dimmed">
          {describeSwim(event)}
        </Text>
        {relay && <RelayLine relay={relay} />}
        <Text size="xs" c="dimmed">
          {source}
        </Text>
        {event.source.by === "model" && (
          <Badge color="yellow" mt={4}>
            Read by a language model: check it on the sheet
          </Badge>
        )}
      </div>
      <dl className={styles.figures}>
        <Figure area={styles.time} label="Start">
          <Start event={event} />
        </Figure>
        {heatNumber !== null && (
          <Figure area={styles.heat} label="Heat">
            {heatNumber}
            {totalHeats !== undefined && <span className={styles.rest}> of {totalHeats}</span>}
          </Figure>
        )}
        {heatNumber === null && rank !== undefined && (
          <Figure area={styles.heat} label="Ranked">
            {formatPlace(rank)}
          </Figure>
        )}
        {lane !== null && (
          <Figure area={styles.lane} label="Lane">
            {lane}
          </Figure>
        )}
        {seedTime !== undefined && (
          <Figure area={styles.seed} label="Seed time">
            {seedTime}
          </Figure>
        )}
      </dl>
    </li>
  );
}

function Figure({ area, label, children }: { area: string | undefined; label: string; children: ReactNode }) {
  return (
    <div className={area}>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.figure}>{children}</dd>
    </div>
  );
}

function Start({ event: { heatStartTime, estimated } }: { event: SwimEvent }) {
  if (heatStartTime === undefined) return <span className={styles.rest}>not given</span>;
  return (
    <>
      {estimated && (
        <>
          <span aria-hidden>~</span>
          <VisuallyHidden>about </VisuallyHidden>
        </>
      )}
      {formatStart(heatStartTime).map(({ text, small }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of one time, which never move.
        <span key={index} className={small ? styles.rest : undefined}>
          {text}
        </span>
      ))}
    </>
  );
}

function RelayLine({ relay: { team, letter, leg, members } }: { relay: NonNullable<SwimEvent["relay"]> }) {
  return (
    <Text size="sm">
      Relay {[team, letter].filter(Boolean).join(" ")}, leg {leg}:{" "}
      {members.map((member, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a leg is known by its place; two members may have one name.
        <span key={index}>
          {index > 0 && ", "}
          {index + 1 === leg ? <strong>{plainName(member)}</strong> : plainName(member)}
        </span>
      ))}
    </Text>
  );
}
