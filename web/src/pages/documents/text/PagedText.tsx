/** The text of one page beside its picture, with the passage and the words searched for marked in both. */
import { ActionIcon, Box, Button, Group, Popover, SegmentedControl, Text } from "@mantine/core";
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { IconListTree } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo, useRef, useState } from "react";
import type { DocumentOutline } from "../../../../../src/contract/documents.ts";
import type { DocumentMarkdown } from "../../../api/documents.ts";
import { PageImage } from "../page-image/PageImage.tsx";
import { PassageMarks } from "../page-image/PassageMarks.tsx";
import { MarkdownText } from "./MarkdownText.tsx";
import { OutlineList } from "./OutlineList.tsx";
import { PageTurner } from "./PageTurner.tsx";
import { pageAt, readPages } from "./read-pages.ts";
import { wordMatcher } from "./search-words.ts";
import classes from "./TextTab.module.css";
import { useScrollToPassage } from "./use-scroll-to-passage.ts";

const route = getRouteApi("/shell/documents/$documentId");

export interface PagedTextProps extends DocumentMarkdown {
  documentId: string;
  outline: DocumentOutline["items"];
}

export function PagedText({ documentId, markdown, pages, outline }: PagedTextProps) {
  const { page: asked, start, end, q } = route.useSearch();
  const navigate = route.useNavigate();
  const text = useRef<HTMLDivElement>(null);
  const narrow = useMediaQuery("(max-width: 62em)", false, { getInitialValueInEffect: false });
  const [shown, setShown] = useState<"text" | "page">("text");

  const cut = useMemo(() => readPages(markdown, pages), [markdown, pages]);
  const current = pageAt(cut, asked, start);
  const isSearched = useMemo(() => (q === undefined ? undefined : wordMatcher(q)), [q]);
  const passage = useMemo(() => (start === undefined || end === undefined ? undefined : { start, end }), [start, end]);
  const onPage = useMemo(
    () => passage && { start: passage.start - current.start, end: passage.end - current.start },
    [passage, current.start],
  );
  useScrollToPassage(text, { start, end }, String(current.page));

  const turnTo = (page: number) =>
    void navigate({ search: (now) => ({ ...now, page }), replace: true, resetScroll: false });
  const picture = (
    <PageImage
      documentId={documentId}
      page={current.page}
      pageCount={cut.length}
      marks={(words) => (
        <PassageMarks words={words} pageText={current.markdown} passage={onPage} isSearched={isSearched} />
      )}
    />
  );
  return (
    <>
      <Group className={classes.bar} justify="space-between" gap="xs">
        <PageTurner page={current.page} pageCount={cut.length} onTurn={turnTo} />
        <Group gap={5} wrap="nowrap">
          {outline.length > 0 && (
            <Contents compact={narrow} outline={outline} offset={current.end - 1} onTurn={turnTo} />
          )}
          {narrow && (
            <SegmentedControl
              size="xs"
              value={shown}
              onChange={(value) => setShown(value === "page" ? "page" : "text")}
              data={[
                { value: "text", label: "Text" },
                { value: "page", label: "Page" },
              ]}
              aria-label="Show the text or the page"
            />
          )}
        </Group>
      </Group>
      <div className={classes.columns}>
        {(!narrow || shown === "text") && (
          <div ref={text} className={classes.text}>
            {current.markdown.trim() === "" ? (
              <Text c="dimmed">There is no text on this page.</Text>
            ) : (
              <MarkdownText
                markdown={current.markdown}
                base={current.start}
                passage={passage}
                isSearched={isSearched}
              />
            )}
          </div>
        )}
        {(!narrow || shown === "page") && <Box className={classes.picture}>{picture}</Box>}
      </div>
    </>
  );
}

interface ContentsProps {
  compact: boolean;
  outline: DocumentOutline["items"];
  offset: number;
  onTurn(page: number): void;
}

function Contents({ compact, outline, offset, onTurn }: ContentsProps) {
  const [opened, { close, toggle }] = useDisclosure(false);
  const icon = <IconListTree size={16} aria-hidden />;
  return (
    <Popover opened={opened} onDismiss={close} trapFocus returnFocus shadow="md" width={320} position="bottom-end">
      <Popover.Target>
        {compact ? (
          <ActionIcon variant="default" size="lg" aria-label="Contents" onClick={toggle}>
            {icon}
          </ActionIcon>
        ) : (
          <Button variant="default" leftSection={icon} onClick={toggle}>
            Contents
          </Button>
        )}
      </Popover.Target>
      <Popover.Dropdown p="xs">
        <OutlineList
          outline={outline}
          offset={offset}
          height="60vh"
          onGo={({ page }) => {
            close();
            if (page !== null) onTurn(page);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
