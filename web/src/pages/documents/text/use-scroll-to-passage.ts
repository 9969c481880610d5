/** Brings a place of the text into view when it is gone to: the passage's mark, or the block that begins there. */
import { type RefObject, useEffect } from "react";

export interface TextPlace {
  start: number;
  /** Left out where a place is meant and no passage. */
  end?: number;
}

/** `shown` names what is in view now: it is scrolled anew when that changes. */
export function useScrollToPassage(
  container: RefObject<HTMLElement | null>,
  { start, end }: Partial<TextPlace>,
  shown: string,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text may hold the place.
  useEffect(() => {
    if (start === undefined || !container.current) return;
    const marked = end === undefined ? null : container.current.querySelector('mark[data-mark="passage"]');
    if (marked) marked.scrollIntoView({ block: "center" });
    else if (end === undefined) blockAt(container.current, start)?.scrollIntoView({ block: "start" });
  }, [container, start, end, shown]);
}

function blockAt(container: HTMLElement, offset: number): Element | undefined {
  const blocks = Array.from(container.querySelectorAll<HTMLElement>("[data-offset]"));
  return blocks.findLast((block) => Number(block.dataset.offset) <= offset);
}
