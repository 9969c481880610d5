/** A stage that had nothing to do costs no commit of its own, and its checkpoint is there as soon as the next one is. */
import { expect, it } from "vitest";
import { z } from "zod";
import { sql } from "../../src/db/sql.ts";
import { RetryableError } from "../../src/errors.ts";
import { type AnyPipeline, pipeline } from "../../src/jobs/pipeline.ts";
import { eventTypes, jobEnded, readStages } from "../support/read-job.ts";
import { openEngineOnDatabase } from "../support/test-engine.ts";

it("is written with the next checkpoint, in order, and looks again only if there was none", async () => {
  const looks: string[] = [];
  let fails = 2;
  const work = pipeline("work", { input: z.object({}), retry: { attempts: 3, baseMs: 0 } })
    .stage("first", ({ skip }) => {
      looks.push("first");
      return skip({ found: 1 });
    })
    .stage("second", ({ outputs }) => {
      looks.push("second");
      if (--fails === 1) throw new RetryableError("BUSY", "not now");
      return { found: outputs.first.found + 1 };
    })
    .stage("third", ({ outputs, skip }) => {
      looks.push("third");
      return skip(outputs.second.found + 1);
    })
    .stage("last", ({ outputs }) => {
      looks.push("last");
      if (fails-- > -1) throw new RetryableError("BUSY", "not now");
      return outputs.third + 1;
    });
  await using place = await openEngineOnDatabase([work as unknown as AnyPipeline]);
  await place.engine.startWorker();
  const { id } = await place.engine.enqueue(work.job({}));
  await jobEnded(place.db, id);

  // The first attempt lost what was only skipped; the second kept it with the second stage's checkpoint.
  expect(looks).toEqual(["first", "second", "first", "second", "third", "last", "third", "last"]);
  const [job] = await place.db.query(sql`select status, result from jobs where id = ${id}`);
  expect(job).toEqual({ status: "completed", result: 4 });
  expect((await readStages(place.db, id)).toSorted()).toEqual(["first", "second", "third"]);
  expect((await eventTypes(place.db, id)).filter((type) => type === "stage_completed")).toHaveLength(3);
});
