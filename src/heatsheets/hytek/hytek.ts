/** Meet programs and psych sheets printed by HY-TEK's Meet Manager. Its results are recognised and not read. */
import { groupRows } from "../group-rows.ts";
import type { SheetReader } from "../sheet-reader.ts";
import { type Furniture, readFurniture } from "./read-furniture.ts";
import { readProgram } from "./read-program.ts";

export const hytek: SheetReader = {
  recognises(pages) {
    return pages.some((page) => {
      const furniture = readFurniture(page);
      if (furniture.kind === "other") return false;
      return (furniture.marked && furniture.kind !== null) || hasCourseEvents(furniture);
    });
  },
  read: (pages) => readProgram(pages, "hytek"),
};

/** Only this program writes the course out in the names of its events, which tells it where the furniture is missing. */
const courseEvent = /(?:^|\s)(?:Event\s+|#)\d{1,4}\s.*\s\d{2,4}\s+(?:Yard|[LS]C\s+Meter)\b/;
const header = /\b(?:Name\s+(?:Age|Yr)|Team\s+Relay)\b/;

function hasCourseEvents({ body }: Furniture): boolean {
  const texts = groupRows(body).map(({ text }) => text);
  return texts.some((text) => courseEvent.test(text)) && texts.some((text) => header.test(text));
}
