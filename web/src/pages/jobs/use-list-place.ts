/** Where a list begins on the page and how wide it is, measured before it is painted and whenever the page changes its shape. */
import { type RefObject, useLayoutEffect, useState } from "react";

export function useListPlace(list: RefObject<HTMLElement | null>): { top: number; width: number } {
  const [place, setPlace] = useState({ top: 0, width: 0 });
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const measure = () => {
      const box = element.getBoundingClientRect();
      const next = { top: Math.round(box.top + window.scrollY), width: Math.round(box.width) };
      setPlace((before) => (before.top === next.top && before.width === next.width ? before : next));
    };
    measure();
    // The body grows and shrinks with whatever stands above the list.
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [list]);
  return place;
}
