/** What a made-up sheet says, row by row: what reading it has to give. */

export interface TruthRow {
  eventNumber: number;
  eventName: string;
  round: string | null;
  heat: number | null;
  totalHeats: number | null;
  blockHeat: number | null;
  /** HH:MM. */
  heatStart: string | null;
  lane: number | null;
  rank: number | null;
  alternate: boolean;
  /** As printed; null for a relay. */
  name: string | null;
  age: string | null;
  sex: "M" | "W" | null;
  team: string;
  seed: string;
  exhibition: boolean;
  standard: string | null;
  relay: { letter: string; members: { name: string; age: string | null; leg: number }[] } | null;
  page: number;
}

export interface SheetTruth {
  pageCount: number;
  rows: TruthRow[];
}

export interface MadeSheet {
  pdf: Buffer;
  truth: SheetTruth;
}

/** All rows of whoever is printed under this name, with or without a star, places in relays included. */
export function swimsOf(truth: SheetTruth, name: string): { row: TruthRow; leg: number | null }[] {
  return truth.rows.flatMap((row): { row: TruthRow; leg: number | null }[] => {
    if (row.name?.replaceAll("*", "") === name) return [{ row, leg: null }];
    return (row.relay?.members ?? []).filter((member) => member.name === name).map(({ leg }) => ({ row, leg }));
  });
}
