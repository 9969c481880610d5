/** Finds out whose layout a heat sheet has and reads it. What nobody recognises has the kind "unknown" and no entries. */
import type { PageText } from "../layout/page.ts";
import { acuatica } from "./acuatica/acuatica.ts";
import { easywk } from "./easywk/easywk.ts";
import { describeMeet } from "./hytek/describe-meet.ts";
import { hytek } from "./hytek/hytek.ts";
import { readFurniture } from "./hytek/read-furniture.ts";
import type { Sheet } from "./sheet.ts";
import type { SheetReader } from "./sheet-reader.ts";
import { splash } from "./splash/splash.ts";
import { teamunify } from "./teamunify/teamunify.ts";
import { timeline } from "./timeline/timeline.ts";

const readers: readonly SheetReader[] = [timeline, hytek, teamunify, easywk, splash, acuatica];

export function parseSheet(pages: readonly PageText[]): Sheet {
  let withoutEntries: Sheet | null = null;
  for (const reader of readers) {
    if (!reader.recognises(pages)) continue;
    const sheet = reader.read(pages);
    // A packet may hold a timeline and a program: the one with swimmers is what it was sent for.
    if (sheet.entries.length > 0) return sheet;
    if (sheet.kind === "timeline" || sheet.kind === "results") withoutEntries ??= sheet;
  }
  return withoutEntries ?? nameUnknown(pages);
}

/** Also for a layout that was recognised and gave nothing: an empty program would say that nobody swims. */
function nameUnknown(pages: readonly PageText[]): Sheet {
  const marked = pages.map(readFurniture).filter((furniture) => furniture.marked);
  const facts = { ...describeMeet(marked), pageCount: pages.length };
  return { kind: "unknown", producer: null, ...facts, events: [], entries: [], sessions: [], warnings: [] };
}
