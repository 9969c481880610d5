/** What search by words promises: rare words count for more, operators do what they say, statistics change nothing. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { findByText } from "../../src/pipelines/documents/search/find-by-text.ts";
import { createTestDatabase, describeOnEachServer } from "../support/test-database.ts";

describeOnEachServer("search by words", (server) => {
  let db: Database;
  let drop: () => Promise<void>;
  const ids = new Map<string, string>();
  const manual = randomUUID();
  const diary = randomUUID();

  beforeAll(async () => {
    ({ db, drop } = await createTestDatabase({ server }));
    await addDocument(manual, [
      { name: "pumps", headings: ["Pumps"], content: "Grease the valves once a week." },
      { name: "bilge", headings: [], content: "Water in the bilge is for the pump, not for the bucket." },
      { name: "lantern", headings: [], content: "A lantern in the engine room burns all night." },
      ...Array.from({ length: 40 }, (_, number) => ({
        name: `engine ${number}`,
        headings: ["Engine"],
        content: `The engine room, the engine and the room of engine ${number}: engine, engine, engine.`,
      })),
    ]);
    await addDocument(diary, [
      { name: "harbour", headings: [], content: "We reached the harbour at dusk and left the engine running." },
    ]);
  });
  afterAll(() => drop());

  async function addDocument(
    documentId: string,
    passages: readonly { name: string; headings: string[]; content: string }[],
  ): Promise<void> {
    await db.query(sql`
      insert into documents (id, filename, job_id) values (${documentId}, 'ship.pdf', ${randomUUID()})`);
    for (const [index, { name, headings, content }] of passages.entries()) {
      const id = randomUUID();
      ids.set(id, name);
      await db.query(sql`
        insert into chunks (id, document_id, index, content, content_hash, heading_path, start_offset, end_offset, tokens,
          search)
        values (${id}, ${documentId}, ${index}, ${content}, 'hash', ${headings}, 0, 10, 20,
          setweight(to_tsvector('english', ${headings.join(" ")}), 'A') || to_tsvector('english', ${content}))`);
    }
  }
  const find = async (words: string, documentIds?: readonly string[]) =>
    (await findByText(db, words, documentIds, 10)).map((id) => ids.get(id));

  describe.each(["without statistics", "with statistics"])("%s", (state) => {
    beforeAll(async () => {
      if (state === "with statistics") await db.query(sql`analyze chunks`);
    });

    it("puts a passage with the rare word before many that repeat the frequent one", async () => {
      expect((await find("Where in the engine room is the lantern?"))[0]).toBe("lantern");
    });

    it("puts a word in a heading before the same word in the text", async () => {
      expect(await find("pump")).toEqual(["pumps", "bilge"]);
    });

    it("finds passages that have only some of the words", async () => {
      expect((await find("zeppelins that reached a harbour"))[0]).toBe("harbour");
    });

    it("finds nothing for words that nobody wrote, or for no words at all", async () => {
      expect(await find("zeppelin")).toEqual([]);
      expect(await find("the of and ?!")).toEqual([]);
    });

    it("takes words in quotes as they stand, and leaves out what is excluded", async () => {
      expect(await find('"left the engine"')).toEqual(["harbour"]);
      expect(await find("pump -valves")).toEqual(["bilge"]);
    });

    it("looks only where it may", async () => {
      expect(await find("engine", [diary])).toEqual(["harbour"]);
    });

    it("takes words that are full of signs", async () => {
      expect((await find("lantern' | & !(engine) \\ : * <-> foo-bar"))[0]).toBe("lantern");
    });
  });
});
