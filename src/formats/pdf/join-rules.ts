/** Ruling lines as people see them: drawn in pieces or twice in the file, one line here. Specks and dots are dropped. */
import type { Rule } from "../../layout/page.ts";

/** Lines closer than this are one line, in points. */
const near = 1;
const shortest = 4;

export function joinRules(rules: readonly Rule[]): Rule[] {
  const flat = rules.filter((rule) => rule.y1 === rule.y2);
  const upright = rules.filter((rule) => rule.y1 !== rule.y2);
  return [
    ...join(flat.map(({ x1, x2, y1 }) => ({ at: y1, from: x1, to: x2 }))).map(({ at, from, to }) => ({
      x1: round(from),
      y1: round(at),
      x2: round(to),
      y2: round(at),
    })),
    ...join(upright.map(({ x1, y1, y2 }) => ({ at: x1, from: y1, to: y2 }))).map(({ at, from, to }) => ({
      x1: round(at),
      y1: round(from),
      x2: round(at),
      y2: round(to),
    })),
  ];
}

interface Span {
  at: number;
  from: number;
  to: number;
}

function join(spans: Span[]): Span[] {
  const joined: Span[] = [];
  spans.sort((one, other) => one.at - other.at);
  for (let start = 0; start < spans.length; ) {
    let end = start + 1;
    const first = spans[start] as Span;
    while (end < spans.length && (spans[end] as Span).at - first.at <= near) end++;
    const level = spans.slice(start, end).sort((one, other) => one.from - other.from);
    let open: Span | undefined;
    for (const span of level) {
      if (open && span.from <= open.to + near) open.to = Math.max(open.to, span.to);
      else {
        open = { ...span };
        joined.push(open);
      }
    }
    start = end;
  }
  return joined.filter(({ from, to }) => to - from >= shortest);
}

function round(points: number): number {
  return Math.round(points * 100) / 100;
}
