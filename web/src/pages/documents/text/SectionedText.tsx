/** The text of a document without pages, a section at a time, with its outline beside it. */
import { Box, Button, Collapse, Group, Text } from "@mantine/core";
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { IconListTree } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo, useRef } from "react";
import type { DocumentOutline } from "../../../../../src/contract/documents.ts";
import { cutSections, indexAt } from "./cut-sections.ts";
import { MarkdownText } from "./MarkdownText.tsx";
import { OutlineList } from "./OutlineList.tsx";
import { PageTurner } from "./PageTurner.tsx";
import { wordMatcher } from "./search-words.ts";
import classes from "./TextTab.module.css";
import { useScrollToPassage } from "./use-scroll-to-passage.ts";

const route = getRouteApi("/shell/documents/$documentId");

export function SectionedText({ markdown, outline }: { markdown: string; outline: DocumentOutline["items"] }) {
  const { start, end, q } = route.useSearch();
  const navigate = route.useNavigate();
  const text = useRef<HTMLDivElement>(null);
  const narrow = useMediaQuery("(max-width: 62em)", false, { getInitialValueInEffect: false });
  const [opened, { toggle, close }] = useDisclosure(false);

  const sections = useMemo(() => cutSections(markdown, outline), [markdown, outline]);
  const index = indexAt(sections, start ?? 0);
  const section = sections[index] ?? { start: 0, end: markdown.length, title: null };
  const shown = useMemo(() => markdown.slice(section.start, section.end), [markdown, section.start, section.end]);
  const isSearched = useMemo(() => (q === undefined ? undefined : wordMatcher(q)), [q]);
  const passage = useMemo(() => (start === undefined || end === undefined ? undefined : { start, end }), [start, end]);
  useScrollToPassage(text, { start, end }, String(index));

  const go = (offset: number) => {
    close();
    void navigate({ search: ({ tab }) => ({ tab, start: offset }), replace: true, resetScroll: false });
  };
  const contents = outline.length > 1 && (
    <OutlineList
      outline={outline}
      offset={Math.max(start ?? 0, section.start)}
      height={narrow ? "50vh" : "calc(100vh - 150px)"}
      onGo={({ offset }) => go(offset)}
    />
  );
  return (
    <>
      {(sections.length > 1 || (narrow && contents)) && (
        <Group className={classes.bar} justify="space-between" gap="xs">
          {sections.length > 1 && (
            <PageTurner
              unit="Section"
              page={index + 1}
              pageCount={sections.length}
              onTurn={(next) => go(sections[next - 1]?.start ?? 0)}
            />
          )}
          {narrow && contents && (
            <Button
              variant="default"
              leftSection={<IconListTree size={16} aria-hidden />}
              onClick={toggle}
              aria-expanded={opened}
            >
              Contents
            </Button>
          )}
        </Group>
      )}
      {narrow && contents && (
        <Collapse expanded={opened} px="xs">
          {contents}
        </Collapse>
      )}
      <div className={classes.outlined}>
        {!narrow && contents && <Box className={classes.outline}>{contents}</Box>}
        <div ref={text} className={classes.prose}>
          {shown.trim() === "" ? (
            <Text c="dimmed">There is no text in this document.</Text>
          ) : (
            <MarkdownText markdown={shown} base={section.start} passage={passage} isSearched={isSearched} />
          )}
        </div>
      </div>
    </>
  );
}
