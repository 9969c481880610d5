/**
 * Finds the fields of a page by local rules: labels with their values, ticked boxes, and the well-known notions of
 * invoices and receipts. Pure and the same every time; prefers to miss a field to inventing one.
 */
import type { Block, Field } from "../blocks.ts";
import type { Box, PageText } from "../page.ts";
import { addAddressLines } from "./add-address-lines.ts";
import { chooseNotions } from "./choose-notions.ts";
import { cutPieces, type PieceRow } from "./cut-pieces.ts";
import { dropListings } from "./drop-listings.ts";
import { findCheckboxes } from "./find-checkboxes.ts";
import { findPairs } from "./find-pairs.ts";
import { findPairsBelow } from "./find-pairs-below.ts";
import { findTwoColumns } from "./find-two-columns.ts";
import { type Finding, findUnlabelled } from "./find-unlabelled.ts";
import { ratePair } from "./rate-pair.ts";
import { readEvidence } from "./read-evidence.ts";
import { boxOf, readRows } from "./read-rows.ts";
import { readTitles } from "./read-titles.ts";

/** Less sure ones are more often wrong than right. */
const leastConfidence = 0.4;

export function findFields(page: PageText, blocks: readonly Block[]): Field[] {
  const lines = readRows(page);
  const evidence = readEvidence(lines);
  const boxes = findCheckboxes(lines);
  const rows = cutPieces(
    lines.map((row) => ({ ...row, segments: row.segments.filter((segment) => !boxes.segments.has(segment)) })),
  );
  const finder = { evidence, misread: page.source === "ocr" };
  const titles = rows.flatMap((row) => readTitles(row, evidence));
  const labelled = [
    ...titles,
    ...findPairs(rows, finder),
    ...findPairsBelow(rows, finder),
    ...findTwoColumns(rows, finder),
  ];
  addAddressLines(labelled, rows);
  const proseShare = shareOfProse(rows);
  const rated = dropListings([...boxes.pairs, ...labelled], blocks)
    .map((pair) => ({ pair, confidence: ratePair(pair, { proseShare }) }))
    .filter(({ confidence }) => confidence >= leastConfidence);
  const known = chooseNotions(rated).map((notion) => ({
    ...notion.from.pair,
    key: notion.key,
    confidence: notion.confidence,
  }));
  const unlabelled = findUnlabelled(page, { rows, evidence, known });
  const said = new Set(unlabelled.map((finding) => finding.key));
  return [
    ...rated.map(({ pair, confidence }) => toField(page.page, "label", { ...pair, key: pair.label, confidence })),
    ...[...known.filter((finding) => !said.has(finding.key)), ...unlabelled]
      .filter((finding) => finding.confidence >= leastConfidence)
      .map((finding) => toField(page.page, "pattern", finding)),
  ];
}

function shareOfProse(rows: readonly PieceRow[]): number {
  let prose = 0;
  let words = 0;
  for (const row of rows) {
    for (const piece of row.pieces) {
      words += piece.words.length;
      if (piece.prose) prose += piece.words.length;
    }
  }
  return words === 0 ? 0 : prose / words;
}

function toField(page: number, source: Field["source"], finding: Finding): Field {
  const { kind, normalized } = finding.recognised;
  return {
    key: finding.key,
    value: finding.value,
    kind,
    ...(normalized !== undefined && { normalized }),
    confidence: Math.round(finding.confidence * 100) / 100,
    page,
    ...(finding.valueWords.length > 0 && { box: roundBox(boxOf(finding.valueWords)) }),
    source,
  };
}

function roundBox(box: Box): Box {
  const round = (value: number) => Math.round(value * 100) / 100;
  return { x: round(box.x), y: round(box.y), width: round(box.width), height: round(box.height) };
}
