import { expect, it } from "vitest";
import type { Connection } from "../../../../../src/contract/documents.ts";
import { makeConnection } from "../../../testing/made-up/documents.ts";
import { endsOf, explain, groupByDocument } from "./connection-words.ts";

it("tells this document's end from the other's, whichever way round it was found", () => {
  const connection = makeConnection({ own: "this", other: "that" });
  const turned = { ...connection, source: connection.target, target: connection.source };
  for (const one of [connection, turned]) {
    const { own, other } = endsOf(one, "this");
    expect([own.documentId, other.documentId]).toEqual(["this", "that"]);
  }
});

it("groups by the other document, the strongest first", () => {
  const connections = ["b", "a", "b"].map((other) => makeConnection({ own: "this", other }));
  const groups = groupByDocument(connections, "this");
  expect(groups.map(({ documentId, connections: { length } }) => [documentId, length])).toEqual([
    ["b", 2],
    ["a", 1],
  ]);
});

it("says what a contradiction and a theme were found by", () => {
  const of = (type: Connection["type"], details: Connection["details"]) =>
    explain({ ...makeConnection({ own: "this", other: "that" }), type, details });
  expect(of("semantic_similarity", { cosine: 0.9 })).toBeNull();
  expect(of("thematic_bridge", { theme: "Rye", explanation: "Both grow it" })).toBe("Rye: Both grow it");
  expect(of("contradiction_detection", { sourceSentence: "It is.", targetSentence: "It is not." })).toBe(
    "“It is.” against “It is not.”.",
  );
});
