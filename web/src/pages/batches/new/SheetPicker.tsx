/** The three ways to heat sheets: files, addresses, a meet's web page. */
import { Tabs } from "@mantine/core";
import type { ReactNode } from "react";

export type Way = "files" | "addresses" | "page";

export interface SheetPickerProps extends Record<Way, ReactNode> {
  way: Way;
  onWay(way: Way): void;
}

export function SheetPicker({ way, onWay, files, addresses, page }: SheetPickerProps) {
  return (
    // What was typed in one of them stays while another is looked at.
    <Tabs value={way} onChange={(value) => onWay(value as Way)} keepMounted>
      <Tabs.List mb="md" aria-label="Where the heat sheets are">
        <Tabs.Tab value="files">Files</Tabs.Tab>
        <Tabs.Tab value="addresses">Links</Tabs.Tab>
        <Tabs.Tab value="page">Meet page</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="files">{files}</Tabs.Panel>
      <Tabs.Panel value="addresses">{addresses}</Tabs.Panel>
      <Tabs.Panel value="page">{page}</Tabs.Panel>
    </Tabs>
  );
}
