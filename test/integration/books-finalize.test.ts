/**
 * Finalization: the last names, one subtopic where there were two, new summaries, and the table that teaching applications
 * read. Killed at any of its commits and started again, it ends in the same rows and files.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Subtopic } from "../../src/contract/books.ts";
import { sql } from "../../src/db/sql.ts";
import { type BookClient, openBookClient } from "../support/book-client.ts";
import { answerAboutBooks } from "../support/book-model.ts";
import { bringTexts, paidTwice, readWholeGuidelines } from "../support/book-texts.ts";
import { expectCoherent, forgetWorkers, listTraces } from "../support/book-traces.ts";
import { startBookWorker } from "../support/book-worker.ts";
import { type DocumentPlace, openDocumentPlace } from "../support/document-place.ts";
import type { DocumentWorker, Moment } from "../support/document-worker.ts";
import { schoolbook } from "../support/sample-pages.ts";

const places: Record<"rules" | "model", DocumentPlace> = {} as never;

beforeAll(async () => {
  places.rules = await openDocumentPlace({ settings: { DOCMILL_EMBEDDINGS: "local" } });
  places.model = await openDocumentPlace({
    settings: { DOCMILL_MODEL: "teacher" },
    openAi: { answerChat: answerAboutBooks },
  });
});

afterAll(async () => {
  await places.rules.close();
  await places.model.close();
});

const subtopicsOf = async (client: BookClient, bookId: string): Promise<Subtopic[]> =>
  (await client.guidelines(bookId)).topics.flatMap(({ subtopics }) => subtopics);

/** A book with three subtopics, of which a person has given the last the name of the first. */
async function bringExtracted(place: DocumentPlace, client: BookClient, title: string): Promise<string> {
  const bookId = await bringTexts(client, schoolbook, title);
  const worker = await startBookWorker(place);
  const { job_id } = await client.generate(bookId);
  expect(await client.ended(bookId, job_id as string)).toMatchObject({ status: "completed", completed_items: 5 });
  await worker.stop();
  const [first, , last] = await subtopicsOf(client, bookId);
  const { topic_title, subtopic_title, guidelines } = first as Subtopic;
  const edit = { topic_title, subtopic_title, guidelines: `${guidelines}\n${last?.guidelines}` };
  const edited = await client.put(`/admin/books/${bookId}/guidelines/${last?.id}`, edit);
  expect(edited.status).toBe(200);
  // The words decide too: rules merge only what also reads alike, and nothing that a person has written.
  await place.db.query(sql`
    update subtopics s set key_terms = f.key_terms, edited = false from subtopics f where f.id = ${first?.id} and s.id = ${last?.id}`);
  return bookId;
}

async function finalize(place: DocumentPlace, client: BookClient, bookId: string) {
  await using _worker = await startBookWorker(place);
  const started = await client.finalize(bookId, { auto_sync_to_db: true });
  return { started, job: await client.ended(bookId, started.job_id as string) };
}

describe.each(["rules", "model"] as const)("finalization by %s", (by) => {
  let client: BookClient;
  let place: DocumentPlace;
  beforeAll(() => {
    place = places[by];
    client = openBookClient(place.url);
  });

  it("gives last names and keys, merges what is the same, summarises anew and hands on", async () => {
    const bookId = await bringExtracted(place, client, "Finished");
    const before = await subtopicsOf(client, bookId);
    const { started, job } = await finalize(place, client, bookId);
    expect(started).toEqual({
      job_id: job.job_id,
      status: "started",
      start_page: null,
      end_page: null,
      total_pages: 3,
      message: expect.stringMatching(/3 subtopics/),
    });
    expectCoherent(job);
    expect(job).toMatchObject({ job_type: "finalization", status: "completed", total_items: 3, completed_items: 3 });
    const after = await subtopicsOf(client, bookId);
    expect(after.map(({ pages }) => pages)).toEqual([
      [1, 2, 5],
      [3, 4],
    ]);
    expect(after.map(({ subtopic_key }) => subtopic_key)).toEqual(["halves-and-quarters", "adding-fractions"]);
    expect(after.map(({ subtopic_title }) => subtopic_title)).toEqual(["Halves and Quarters", "Adding Fractions"]);
    expect(new Set(after.map(({ topic_title }) => topic_title))).toEqual(new Set(["Fractions"]));
    expect(new Set(after.map(({ topic_key }) => topic_key))).toEqual(new Set(["fractions"]));
    expect(new Set(after.map(({ status }) => status))).toEqual(new Set(["final"]));
    expect(after[0]).toMatchObject({ id: before[0]?.id, version: (before[0]?.version ?? 0) + 1 });
    expect(after[1]).toMatchObject({ version: before[1]?.version, guidelines: before[1]?.guidelines });
    // Nothing of the one that went is lost.
    expect(after[0]?.guidelines).toMatch(/two equal parts/);
    expect(after[0]?.guidelines).toMatch(/north pole/);
    for (const { summary } of after) expect(summary.split(/\s+/).length).toBeGreaterThanOrEqual(10);
    const synced = await place.db.query(sql`
      select subtopic_key, subtopic_title, summary, guideline, source_page_start, source_page_end, status, version, grade
      from teaching_guidelines where book_id = ${bookId} order by source_page_start`);
    expect(synced).toEqual(
      after.map((one) => ({
        subtopicKey: one.subtopic_key,
        subtopicTitle: one.subtopic_title,
        summary: one.summary,
        guideline: one.guidelines,
        sourcePageStart: one.source_page_start,
        sourcePageEnd: one.source_page_end,
        status: "final",
        version: one.version,
        grade: "4",
      })),
    );
    // A second time there is nothing left to do.
    const whole = await readWholeGuidelines(place, bookId);
    expect((await finalize(place, client, bookId)).job.status).toBe("completed");
    expect(await readWholeGuidelines(place, bookId)).toEqual(whole);
    expect(paidTwice(place)).toEqual([]);
  });

  it("leaves what a person has approved as it is, and everything else around it", async () => {
    const bookId = await bringExtracted(place, client, "Approved");
    const [first] = await subtopicsOf(client, bookId);
    await client.post(`/admin/books/${bookId}/guidelines/${first?.id}/approve`);
    const approved = (await client.ask(`/admin/books/${bookId}/guidelines/${first?.id}`)).body;
    const row = () => place.db.query(sql`select * from subtopics where id = ${first?.id}`);
    const before = await row();
    const { job } = await finalize(place, client, bookId);
    expect(job).toMatchObject({ status: "completed", total_items: 2, completed_items: 2 });
    expect((await client.ask(`/admin/books/${bookId}/guidelines/${first?.id}`)).body).toEqual(approved);
    expect(await row()).toEqual(before);
    const after = await subtopicsOf(client, bookId);
    expect(after).toHaveLength(3);
    expect(new Set(after.map((one) => `${one.topic_key}/${one.subtopic_key}`)).size).toBe(3);
    // Sent back, it is the machine's again, but keeps the mark.
    const rejected = await client.post(`/admin/books/${bookId}/guidelines/${first?.id}/reject`);
    expect(rejected.body.status).toBe("needs_review");
    await finalize(place, client, bookId);
    expect(await subtopicsOf(client, bookId)).toHaveLength(2);
  });

  it("a book without guidelines has nothing to finalize", async () => {
    const bookId = await bringTexts(client, schoolbook.slice(0, 1));
    const before = await listTraces(place);
    const { status, body } = await client.post(`/admin/books/${bookId}/finalize`, {});
    expect({ status, body }).toEqual({ status: 400, body: { detail: expect.stringMatching(/no guidelines yet/) } });
    expect(await listTraces(place)).toEqual(before);
  });
});

describe("finalization that is killed and started again", () => {
  const [before, inside, after] = ["commit.before", "commit.inside", "commit.after"] as const;
  let client: BookClient;
  let undisturbed: object;
  let victim: DocumentWorker;
  const prepare = () => places.model.prepareFaultWorker({ slots: 1 });

  beforeAll(async () => {
    client = openBookClient(places.model.url);
    const bookId = await bringExtracted(places.model, client, "Undisturbed");
    await finalize(places.model, client, bookId);
    undisturbed = await readWholeGuidelines(places.model, bookId);
    victim = prepare();
  });

  it.each([
    ["a name", 1],
    ["duplicates", 3],
    ["a merged text", 4],
    ["a summary", 5],
  ])("refused for the moment when it asks for %s: asks again and goes on from its checkpoint", async (name, calls) => {
    const bookId = await bringRefused(name, calls, 429);
    const { job } = await finalize(places.model, client, bookId);
    expectCoherent(job);
    expect(job).toMatchObject({ status: "completed", failed_items: 0, error_message: null });
    expect(await readWholeGuidelines(places.model, bookId)).toEqual(undisturbed);
    expect(paidTwice(places.model)).toEqual([]);
  });

  /** A book whose finalization is refused after so many answers. */
  async function bringRefused(name: string, calls: number, status: number): Promise<string> {
    const bookId = await bringExtracted(places.model, client, `Refused ${name}`);
    // Questions without the book's title were answered for others already: this book has words of its own.
    await places.model.db.query(
      sql`update subtopics set summary = summary || ${` (${name})`} where book_id = ${bookId}`,
    );
    places.model.openAi.plan(...Array.from({ length: calls }, () => undefined), { status });
    return bookId;
  }

  it("refused for good: failed, with the reason; started again, it ends as if nothing had happened", async () => {
    const bookId = await bringRefused("for good", 3, 403);
    const { job } = await finalize(places.model, client, bookId);
    expectCoherent(job);
    expect(job.status).toBe("failed");
    expect(job.error_message).toMatch(/403/);
    const again = await finalize(places.model, client, bookId);
    expect(again.job).toMatchObject({ status: "completed", failed_items: 0 });
    expect(await readWholeGuidelines(places.model, bookId)).toEqual(undisturbed);
    expect(paidTwice(places.model)).toEqual([]);
  });

  it.each<[string, Moment]>([
    ["before it has begun", { point: before, stage: "mark_final" }],
    ["inside the commit of mark_final", { point: inside, stage: "mark_final" }],
    ["after mark_final", { point: after, stage: "mark_final" }],
    ["with a name found and not committed", { point: before, stage: "refine_names", item: "1" }],
    ["inside the commit of a name", { point: inside, stage: "refine_names", item: "2" }],
    ["after a name", { point: after, stage: "refine_names", item: "2" }],
    ["after all names", { point: after, stage: "refine_names" }],
    ["with duplicates found and not merged", { point: before, stage: "merge" }],
    ["inside the merge", { point: inside, stage: "merge" }],
    ["after the merge", { point: after, stage: "merge" }],
    ["with summaries written and not committed", { point: before, stage: "summarise" }],
    ["inside the commit of summaries", { point: inside, stage: "summarise" }],
    ["after the summaries", { point: after, stage: "summarise" }],
    ["after the files", { point: after, stage: "files" }],
    ["before the sync", { point: before, stage: "sync" }],
    ["inside the commit of the sync", { point: inside, transition: "complete" }],
  ])("%s", async (name, moment) => {
    const bookId = await bringExtracted(places.model, client, name);
    const { job_id } = await client.finalize(bookId, { auto_sync_to_db: true });
    const dying = victim;
    victim = prepare();
    await dying.start({ endAt: moment });
    expect(await dying.exited).toBe("SIGKILL");
    await forgetWorkers(places.model.db);
    const lost = await client.job(bookId, job_id as string);
    expectCoherent(lost);
    expect(lost.status).toBe("failed");
    expect(lost.error_message).toMatch(/^Job interrupted \(no heartbeat since [^)]+\)\./);
    const { job } = await finalize(places.model, client, bookId);
    expect(job.status).toBe("completed");
    expect(await readWholeGuidelines(places.model, bookId)).toEqual(undisturbed);
    expect(paidTwice(places.model)).toEqual([]);
  });
});
