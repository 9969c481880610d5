/** How the layouts of the different programs that print heat sheets are read: each in a room of its own, by this shape. */
import type { PageText } from "../layout/page.ts";
import type { Sheet } from "./sheet.ts";

export interface SheetReader {
  /** Whether the pages are of this layout, told from what only it prints. */
  recognises(pages: readonly PageText[]): boolean;
  read(pages: readonly PageText[]): Sheet;
}
