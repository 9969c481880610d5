/** The beginning of everything: a place for files, and the ways to the other things Docmill does. */
import { Group, Paper, Stack, Text, ThemeIcon } from "@mantine/core";
import { IconBook2, IconChevronRight, IconSwimming } from "@tabler/icons-react";
import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { FileDrop } from "../../parts/FileDrop.tsx";
import { useDropTarget } from "../../shell/DropAnywhere.tsx";
import { useUploads } from "../../uploads/UploadsProvider.tsx";
import { AddFromUrl } from "./AddFromUrl.tsx";
import classes from "./AddWork.module.css";

export function AddWork() {
  const { add } = useUploads();
  // Without leaving the page, which shows what becomes of them.
  useDropTarget("Drop files to add them as documents", add);
  return (
    <div className={classes.ways}>
      <Paper withBorder p="md">
        <Stack gap="sm">
          <FileDrop
            title="Drop documents here, or click to choose"
            hint="PDF, Word, EPUB, HTML, markdown, text, pictures and scans"
            onFiles={add}
          />
          <AddFromUrl />
        </Stack>
      </Paper>
      <Stack gap="md">
        <WayTo to="/batches/new" icon={<IconSwimming size={20} aria-hidden />} title="Read heat sheets for a swimmer">
          Every event, heat and lane, as a schedule and a calendar
        </WayTo>
        <WayTo to="/books" icon={<IconBook2 size={20} aria-hidden />} title="Scan a book">
          Pages read by OCR, then guidelines written from them
        </WayTo>
      </Stack>
    </div>
  );
}

function WayTo(props: { to: LinkProps["to"]; icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <Link to={props.to} className={classes.way}>
      <Group wrap="nowrap" gap="sm">
        <ThemeIcon variant="light" size="lg">
          {props.icon}
        </ThemeIcon>
        <div className={classes.words}>
          <Text fw={500}>{props.title}</Text>
          <Text size="sm" c="dimmed">
            {props.children}
          </Text>
        </div>
        <IconChevronRight size={18} aria-hidden className={classes.arrow} />
      </Group>
    </Link>
  );
}
