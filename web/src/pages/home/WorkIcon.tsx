/** A picture beside a line of the first page: of what kind it is. Its text says so too. */
import { IconBook2, IconFileText, IconStack2, IconSwimming } from "@tabler/icons-react";
import type { Work } from "./describe-work.ts";

const icons = { document: IconFileText, batch: IconSwimming, book: IconBook2, other: IconStack2 };

export function WorkIcon({ what }: { what: Work["what"] }) {
  const Icon = icons[what];
  return <Icon size={18} stroke={1.6} aria-hidden style={{ flexShrink: 0 }} color="var(--mantine-color-dimmed)" />;
}
