/** Topics with their subtopics: unfold one to read, correct and judge it. */
import { Accordion, Box, Group, Paper, Text, Title } from "@mantine/core";
import { useState } from "react";
import type { BookDetail, Guidelines, Subtopic } from "../../../../../src/contract/books.ts";
import { useAccess } from "../../../access/AccessProvider.tsx";
import { countOf } from "../../../parts/format.ts";
import { StateBadge } from "../../../parts/StateBadge.tsx";
import { whyHeld } from "../active-job.ts";
import { describeRange } from "./describe-range.ts";
import { draftOf } from "./SubtopicForm.tsx";
import { SubtopicView } from "./SubtopicView.tsx";

export function TopicList({ book, guidelines }: { book: BookDetail; guidelines: Guidelines }) {
  const held = whyHeld(book);
  const all = guidelines.topics.flatMap(({ subtopics }) => subtopics);
  // What a session's end has cut short is open again.
  const { drafts } = useAccess();
  const [unfinished] = useState(() => all.filter((one) => drafts.has(draftOf(one))).map(({ id }) => id));
  const approved = all.filter(({ status }) => status === "approved").length;
  return (
    <section aria-label="Topics">
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={2} size="h4">
          Topics
        </Title>
        <Text size="sm" c="dimmed">
          {countOf(guidelines.topics.length, "topic")}, {countOf(all.length, "subtopic")}, {approved} approved
        </Text>
      </Group>
      {guidelines.topics.map(({ topic_key, topic_title, subtopics }) => (
        <Paper key={topic_key} withBorder mb="md" style={{ overflow: "hidden" }}>
          <Box px="md" py="sm">
            <Title order={3} size="h5">
              {topic_title}
            </Title>
          </Box>
          <Accordion multiple chevronPosition="left" order={4} keepMounted={false} radius={0} defaultValue={unfinished}>
            {subtopics.map((subtopic, place) => (
              <SubtopicItem
                key={subtopic.id}
                book={book}
                subtopic={subtopic}
                held={held}
                isUnfinished={unfinished.includes(subtopic.id)}
                isLast={place === subtopics.length - 1}
              />
            ))}
          </Accordion>
        </Paper>
      ))}
    </section>
  );
}

interface SubtopicItemProps {
  book: BookDetail;
  subtopic: Subtopic;
  held: string | null;
  isUnfinished: boolean;
  isLast: boolean;
}

function SubtopicItem({ book, subtopic, held, isUnfinished, isLast }: SubtopicItemProps) {
  const [isEditing, setEditing] = useState(isUnfinished);
  return (
    <Accordion.Item value={subtopic.id} style={isLast ? { borderBottom: 0 } : undefined}>
      <Accordion.Control>
        <SubtopicLine subtopic={subtopic} />
      </Accordion.Control>
      {/* Folding one that is being edited only hides it: what was typed is still there, and still asked about. */}
      <Accordion.Panel keepMounted={isEditing} keepMountedMode="display-none">
        <SubtopicView book={book} subtopic={subtopic} held={held} isEditing={isEditing} onEdit={setEditing} />
      </Accordion.Panel>
    </Accordion.Item>
  );
}

function SubtopicLine({ subtopic }: { subtopic: Subtopic }) {
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm" fw={500} flex="1 1 200px">
        {subtopic.subtopic_title}
      </Text>
      <Group gap="xs" wrap="nowrap">
        <Text size="sm" c="dimmed" className="numbers">
          {describeRange(subtopic)}
        </Text>
        {/* One that is open may get more pages, but nobody is at work on it. */}
        <StateBadge
          state={subtopic.status === "open" ? "stable" : subtopic.status}
          label={subtopic.status.replace("_", " ")}
        />
      </Group>
    </Group>
  );
}
