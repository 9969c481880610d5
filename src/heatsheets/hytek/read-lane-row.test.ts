import { describe, expect, it } from "vitest";
import type { Word } from "../../layout/page.ts";
import type { EventSex } from "./read-age.ts";
import { readLaneRow } from "./read-lane-row.ts";

/** A line of extracted text: where its words stand says nothing. */
function readText(text: string, sex: EventSex = "W") {
  const words = text.split(" ").map((word): Word => ({ text: word, box: { x: 0, y: 0, width: 1, height: 1 } }));
  return readLaneRow(words, sex, null, null);
}

describe("readLaneRow without columns", () => {
  it.each([
    ["Reed, Ann B 12 OAK-PV 1:05.32", { name: "Reed, Ann B", age: "12", team: "OAK-PV", seed: "1:05.32" }],
    ["Ann van Reed 11 OAK 3:36.22", { name: "Ann van Reed", age: "11", team: "OAK", seed: "3:36.22" }],
    ["Heat 1 Lane 8, 16 ELM-MD 28.10Y", { name: "Heat 1 Lane 8,", age: "16", team: "ELM-MD", seed: "28.10Y" }],
    ["Reed, Ann 12 1 Swim Club 28.10", { name: "Reed, Ann", age: "12", team: "1 Swim Club" }],
    ["Reed, Ann 12 Sierra Nevada Sw 28.10 L B", { team: "Sierra Nevada Sw", seed: "28.10L", standard: "B" }],
    ["Reed, Ann 12 OAK X 28.10", { team: "OAK", seed: "28.10", exhibition: true }],
    ["Reed, Ann 12 OAK XNT", { seed: "NT", exhibition: true }],
    ["Reed, Ann 12 OAK NTY _____", { seed: "NTY", exhibition: false, standard: null }],
    ["Reed, Ann 12 OAK 3:30,00", { seed: "3:30,00" }],
    ["Reed, Ann 12 OAK 28.10 PVJR B____", { seed: "28.10", standard: "PVJR B" }],
    ["Reed, Ann 12 NT 28.10", { team: "NT", seed: "28.10" }],
    ["Reed, Ann OAK 28.10", { name: "Reed, Ann", age: null, team: "OAK" }],
    ["Reed, Ann 12 OAK", { team: "OAK", seed: null }],
  ])("%s", (text, expected) => {
    expect(readText(text)).toMatchObject(expected);
  });

  it.each([
    ["Reed, Scarlett LW10 OAK 28.10", { name: "Reed, Scarlett L", age: "10", sex: "W" }],
    ["Reed, Tom M M12 OAK 28.10", { name: "Reed, Tom M", age: "12", sex: "M" }],
    ["Reed, Tom MM12 OAK 28.10", { name: "Reed, Tom M", age: "12", sex: "M" }],
    [
      "Blackwood, Maria AngeWlic7a1 OAK 3:30,00",
      { name: "Blackwood, Maria Angelica", age: "71", sex: "W", team: "OAK" },
    ],
  ])("%s in a mixed event", (text, expected) => {
    expect(readText(text, "mixed")).toMatchObject(expected);
  });

  it.each(["", "12", "of something", "_____"])("«%s» is no swimmer", (text) => {
    expect(readText(text)).toBeNull();
  });
});
