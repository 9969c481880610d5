/** Boxes from the edges that the layout keeps, and back. Boxes are in hundredths of a point: boxes are stored for every block and cell. */
import type { Box } from "./page.ts";
import type { Edges } from "./placed-word.ts";

export function edgesToBox(edges: Edges): Box {
  return {
    x: round(edges.x1),
    y: round(edges.y1),
    width: round(edges.x2 - edges.x1),
    height: round(edges.y2 - edges.y1),
  };
}

export function boxToEdges(box: Box): Edges {
  return { x1: box.x, y1: box.y, x2: box.x + box.width, y2: box.y + box.height };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
