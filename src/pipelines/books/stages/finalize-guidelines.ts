/**
 * Finalization: subtopics become final, get their last names, and those that are the same become one. Each step is a
 * checkpoint and finds its work by looking at what is there, so that it may be killed anywhere and ends the same.
 */
import { z } from "zod";
import { makeKey } from "../../../guidelines/make-key.ts";
import { mergeTerms } from "../../../guidelines/merge-terms.ts";
import { type ItemContext, type StageContext, sql } from "../../../jobs/index.ts";
import { readVector } from "../../../vectors/vector-bytes.ts";
import { authorOf } from "../author-of.ts";
import type { BookServices } from "../book-services.ts";
import type { Duplicate, NamedSubtopic, WrittenSubtopic } from "../guideline-author.ts";
import { meanVector } from "../place-page.ts";
import { listParts, listSubtopics, type SubtopicRow } from "../queries/list-subtopics.ts";
import { toVector } from "../queries/save-page-guideline.ts";

export const FinalizationInput = z.object({ bookId: z.uuid(), autoSync: z.boolean() });
type FinalizationInput = z.infer<typeof FinalizationInput>;

type FinalizeServices = Pick<BookServices, "db" | "model">;
type Context<Outputs = object> = StageContext<FinalizationInput, Outputs>;

/** What a person has approved or written stays as it is. */
const isOurs = ({ status, edited }: SubtopicRow) => status !== "approved" && !edited;

export function markFinal({ db }: FinalizeServices) {
  return async ({ input, commit }: Context) => {
    const rows = await listSubtopics(db, input.bookId);
    return commit(async (tx) => {
      await tx.query(sql`
        update subtopics set status = 'final', updated_at = now()
        where book_id = ${input.bookId} and status in ('open', 'stable')`);
      return { subtopicIds: rows.filter(isOurs).map(({ id }) => id) };
    });
  };
}

export function refineNames(services: FinalizeServices) {
  const { db } = services;
  return async ({ input, outputs, items, progress }: Context<{ mark_final: { subtopicIds: string[] } }>) => {
    const author = authorOf(services);
    const refine = async (id: string, item: ItemContext) => {
      const rows = await listSubtopics(db, input.bookId);
      const row = rows.find((one) => one.id === id);
      if (!row) return { renamed: false };
      const parts = await listParts(db, id);
      const { topicTitle, subtopicTitle } = await author.refineName(toNamed(row), parts, item);
      const others = rows.filter((one) => one.id !== id);
      // A topic has one name: whoever of it was renamed first gives it to the others.
      const same = others.find((one) => one.topicTitle.toLowerCase() === topicTitle.toLowerCase());
      const topicKey =
        same?.topicKey ??
        keyFor(
          topicTitle,
          row.topicKey,
          others.map((one) => one.topicKey),
        );
      const subtopicKey = keyFor(
        subtopicTitle,
        row.subtopicKey,
        others.map((one) => one.subtopicKey),
      );
      return item.commit(async (tx) => {
        await tx.query(sql`
          update subtopics set topic_key = ${topicKey}, topic_title = ${same?.topicTitle ?? topicTitle}, subtopic_key = ${subtopicKey},
            subtopic_title = ${subtopicTitle}, updated_at = now()
          where id = ${id}`);
        return { renamed: subtopicTitle !== row.subtopicTitle || topicTitle !== row.topicTitle };
      });
    };
    // Items are told to people by their place in the book.
    const places = outputs.mark_final.subtopicIds.map((id, index) => ({ id, place: index + 1 }));
    const { outputs: done } = await items(
      places,
      { key: ({ place }) => String(place), failJob: true },
      async ({ id, place }, item) => {
        await progress({ current: String(place) });
        return refine(id, item);
      },
    );
    return { refined: done.size };
  };
}

/** The same name keeps its key. */
function keyFor(title: string, present: string, others: readonly string[]): string {
  const taken = new Set(others);
  const key = makeKey(title, taken);
  return makeKey(title, new Set()) === present && !taken.has(present) ? present : key;
}

/** All pairs in one transaction: either the book has its duplicates or it has none. */
export function mergeDuplicates(services: FinalizeServices) {
  const { db } = services;
  return async ({ input, signal, remember, commit }: Context) => {
    const author = authorOf(services);
    const call = { signal, remember };
    const rows = (await listSubtopics(db, input.bookId)).filter(isOurs);
    const named = new Map(rows.map((row) => [row.id, toNamed(row)]));
    const pairs = await author.findDuplicates([...named.values()], call);
    const merges: Merge[] = [];
    for (const pair of pairs) {
      const [keep, drop] = [named.get(pair.keep), named.get(pair.drop)];
      if (!keep || !drop) continue;
      const parts = [...(await listParts(db, pair.keep)), ...(await listParts(db, pair.drop))];
      parts.sort((a, b) => a.page - b.page);
      const written = await author.merge(keep, drop, parts, call);
      const vector = meanVector(keep.vector, keep.pages.length, drop.vector);
      // A later pair may merge into the same one.
      named.set(pair.keep, { ...keep, ...written, pages: [...keep.pages, ...drop.pages], vector });
      merges.push({ ...pair, written, vector, keyTerms: mergeTerms(keep.keyTerms, drop.keyTerms) });
    }
    return commit(async (tx) => {
      for (const { keep, drop, written, vector, keyTerms } of merges) {
        await tx.query(sql`update page_guidelines set subtopic_id = ${keep} where subtopic_id = ${drop}`);
        await tx.query(sql`delete from subtopics where id = ${drop}`);
        await tx.query(sql`
          update subtopics set summary = ${written.summary}, guidelines = ${written.guidelines}, version = version + 1,
            key_terms = ${keyTerms}::text[], vector = ${toVector(vector)}, updated_at = now()
          where id = ${keep}`);
      }
      return { merged: merges.map(({ keep, drop, reason }) => ({ keep, drop, reason })) };
    });
  };
}

interface Merge extends Duplicate {
  written: WrittenSubtopic;
  vector: Float32Array | null;
  keyTerms: string[];
}

/** Names and texts may have changed: the summaries follow. */
export function resummarise(services: FinalizeServices) {
  const { db } = services;
  return async ({ input, signal, remember, commit }: Context) => {
    const author = authorOf(services);
    const summaries: { id: string; summary: string }[] = [];
    for (const row of (await listSubtopics(db, input.bookId)).filter(isOurs)) {
      const summary = await author.summarise(toNamed(row), await listParts(db, row.id), { signal, remember });
      summaries.push({ id: row.id, summary });
    }
    return commit(async (tx) => {
      await tx.query(sql`
        update subtopics s set summary = n.summary, updated_at = now()
        from json_to_recordset(${JSON.stringify(summaries)}) as n (id uuid, summary text)
        where s.id = n.id and s.summary <> n.summary`);
      return { summaries: summaries.length };
    });
  };
}

function toNamed({ vector, ...row }: SubtopicRow): NamedSubtopic {
  const { id, topicTitle, subtopicTitle, summary, guidelines, pages, keyTerms } = row;
  const read = vector === null ? null : readVector(vector);
  return { id, topicTitle, subtopicTitle, summary, guidelines, pages, keyTerms, vector: read };
}
