/** A whole program or psych sheet: furniture, then body. For every program that prints in HY-TEK's manner. */
import type { PageText } from "../../layout/page.ts";
import type { Producer, Sheet } from "../sheet.ts";
import { describeMeet } from "./describe-meet.ts";
import { readBody } from "./read-body.ts";
import { type Furniture, readFurniture } from "./read-furniture.ts";

export function readProgram(pages: readonly PageText[], producer: Producer): Sheet {
  const all = carryFurniture(pages.map((page) => ({ page: page.page, ...readFurniture(page) })));
  const read = all.filter(({ kind }) => kind !== "other" && kind !== "results");
  const { events, entries, heats, results, unread } = readBody(read, describeMeet(read).meetDates);
  const said = all.some(({ kind }) => kind === "results") && entries.length === 0;
  const isResults = said || (results && read.every(({ kind }) => kind === null));
  const meet = describeMeet(isResults ? all : read);
  const sheet = { producer, ...meet, pageCount: pages.length, sessions: [] };
  if (isResults) return { kind: "results", ...sheet, events: [], entries: [], warnings: [] };
  const isProgram = heats || read.some(({ kind }) => kind === "program");
  const warnings = [...warnOfRows(unread), ...warnOfPages(all.length - read.length)];
  return { kind: isProgram ? "program" : "psych", ...sheet, events, entries, warnings };
}

/** A page without furniture goes on with what the page before it is. */
function carryFurniture<Page extends Furniture>(pages: readonly Page[]): Page[] {
  const carried: Page[] = [];
  for (const page of pages) {
    const before = page.kind === null && !page.marked ? carried.at(-1) : undefined;
    carried.push(before ? { ...page, kind: before.kind, sessionName: before.sessionName } : page);
  }
  return carried;
}

function warnOfRows(count: number): string[] {
  if (count === 0) return [];
  return [count === 1 ? "1 row could not be read." : `${count} rows could not be read.`];
}

function warnOfPages(count: number): string[] {
  if (count === 0) return [];
  return [
    count === 1 ? "1 page lists no heats and was passed over." : `${count} pages list no heats and were passed over.`,
  ];
}
