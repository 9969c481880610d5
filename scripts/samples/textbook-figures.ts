/** The drawings of the sample school book, each within a field of the given width and 92 points of height. */
import type { Drawing } from "./paint.ts";
import type { Block } from "./textbook-pages.ts";

type FigureName = Extract<Block, { kind: "figure" }>["drawing"];

export const figureHeight = 92;
const dark = "#222222";
const light = "#cfcfcf";

const figures: Record<FigureName, (document: Drawing) => void> = {
  lever(document) {
    document.polygon([90, 88], [104, 60], [118, 88]).fillAndStroke(light, dark);
    document.lineWidth(4).moveTo(46, 74).lineTo(268, 34).stroke();
    document.lineWidth(1.2).rect(44, 40, 32, 28).fillAndStroke(light, dark);
    drawArrow(document, 262, 2, 28);
  },
  well(document) {
    document.lineWidth(3).moveTo(96, 8).lineTo(96, 86).moveTo(196, 8).lineTo(196, 86).stroke();
    document.lineWidth(1.2).rect(96, 14, 100, 12).fillAndStroke(light, dark);
    document.lineWidth(3).moveTo(196, 20).lineTo(226, 20).lineTo(226, 50).lineTo(246, 50).stroke();
    document.lineWidth(1.5).moveTo(146, 26).lineTo(146, 56).stroke();
    document.polygon([132, 56], [160, 56], [156, 82], [136, 82]).fillAndStroke(light, dark);
  },
  ramp(document) {
    document.polygon([40, 86], [262, 86], [262, 30]).fillAndStroke(light, dark);
    document.circle(150, 42, 15).fillAndStroke("#ffffff", dark);
    document.circle(150, 42, 8).stroke();
    document.lineWidth(2).moveTo(96, 50).lineTo(128, 42).stroke();
    document.polygon([128, 38], [136, 40], [130, 47]).fill(dark);
  },
  screw(document) {
    document.lineWidth(2).polygon([40, 86], [262, 86], [262, 34]).fillAndStroke(light, dark);
    document.lineWidth(2).rect(262, 6, 18, 80).fillAndStroke("#ffffff", dark);
  },
};

export function drawFigure(document: Drawing, name: FigureName, x: number, y: number): void {
  document.save().translate(x, y).lineWidth(1.2).strokeColor(dark).fillColor(dark);
  figures[name](document);
  document.restore();
}

function drawArrow(document: Drawing, x: number, top: number, bottom: number): void {
  document
    .lineWidth(2)
    .moveTo(x, top)
    .lineTo(x, bottom - 6)
    .stroke();
  document.polygon([x - 5, bottom - 7], [x + 5, bottom - 7], [x, bottom]).fill(dark);
}
