import { describe, expect, it } from "vitest";
import type { JobState } from "../../../../src/contract/states.ts";
import { makeJob } from "../../testing/made-up/jobs.ts";
import {
  countComing,
  forgetChanges,
  type JobChanges,
  mergeJobChanges,
  noChanges,
  noteChanges,
  settleChanges,
} from "./merge-job-changes.ts";

/** A list that shows running jobs; 9 is the newest. */
const running = (id: number, lastEventId = 1) => makeJob({ id: `job-${id}`, status: "running", lastEventId });
const ended = (id: number, status: JobState = "completed") => makeJob({ id: `job-${id}`, status, lastEventId: 5 });
const belongs = ({ status }: { status: JobState }) => status === "running";
const loaded = { jobs: [running(8), running(6), running(4)], isAll: false };

function note(changes: JobChanges, jobs: Parameters<typeof noteChanges>[1], hold = false): JobChanges {
  const ids = new Set(mergeJobChanges(loaded, changes, belongs).map(({ job }) => job.id));
  return noteChanges(changes, jobs, { isShown: (id) => ids.has(id), belongs, hold });
}

function show(changes: JobChanges, list = loaded): string[] {
  return mergeJobChanges(list, changes, belongs).map(
    ({ job: { id, lastEventId }, leaving }) => `${id}@${lastEventId}${leaving ? " leaving" : ""}`,
  );
}

describe("patching a list of jobs by changes", () => {
  it("leaves a list without changes as it is", () => {
    expect(show(noChanges)).toEqual(["job-8@1", "job-6@1", "job-4@1"]);
  });

  it("patches a job where it stands", () => {
    expect(show(note(noChanges, [running(6, 2)]))).toEqual(["job-8@1", "job-6@2", "job-4@1"]);
  });

  it("does not let an older answer overtake what is known", () => {
    const changes = note(note(noChanges, [running(6, 3)]), [running(6, 2)]);
    expect(show(changes)).toEqual(["job-8@1", "job-6@3", "job-4@1"]);
    const reloaded = { jobs: [running(8), running(6, 7), running(4)], isAll: false };
    expect(show(changes, reloaded)).toEqual(["job-8@1", "job-6@7", "job-4@1"]);
  });

  it("puts a job that has come to belong in its place", () => {
    expect(show(note(noChanges, [running(9), running(7)]))).toEqual([
      "job-9@1",
      "job-8@1",
      "job-7@1",
      "job-6@1",
      "job-4@1",
    ]);
  });

  it("leaves a job older than what is loaded to its own page", () => {
    const changes = note(noChanges, [running(2)]);
    expect(show(changes)).toEqual(["job-8@1", "job-6@1", "job-4@1"]);
    expect(show(changes, { ...loaded, isAll: true })).toEqual(["job-8@1", "job-6@1", "job-4@1", "job-2@1"]);
  });

  it("drops a job that does not belong any more", () => {
    expect(show(note(noChanges, [ended(6)]))).toEqual(["job-8@1", "job-4@1"]);
  });

  it("ignores jobs that neither are shown nor belong", () => {
    expect(note(noChanges, [ended(9), ended(7, "failed")]).latest.size).toBe(0);
  });

  it("fills an empty list", () => {
    const changes = note(noChanges, [running(9)]);
    expect(show(changes, { jobs: [], isAll: true })).toEqual(["job-9@1"]);
  });
});

describe("while somebody reads further down", () => {
  it("holds newcomers back, counts them, and lets them in when settled", () => {
    const changes = note(noChanges, [running(9), running(7)], true);
    expect(show(changes)).toEqual(["job-8@1", "job-6@1", "job-4@1"]);
    expect(countComing(changes)).toBe(2);
    const settled = settleChanges(changes);
    expect(countComing(settled)).toBe(0);
    expect(show(settled)[0]).toBe("job-9@1");
  });

  it("forgets a newcomer that has left again", () => {
    const changes = note(note(noChanges, [running(9)], true), [ended(9)], true);
    expect(countComing(changes)).toBe(0);
    expect(show(settleChanges(changes))).toEqual(["job-8@1", "job-6@1", "job-4@1"]);
  });

  it("keeps a job that leaves in its place until settled", () => {
    const changes = note(noChanges, [ended(6)], true);
    expect(show(changes)).toEqual(["job-8@1", "job-6@5 leaving", "job-4@1"]);
    expect(show(settleChanges(changes))).toEqual(["job-8@1", "job-4@1"]);
  });

  it("keeps one that was let in before, whatever becomes of it", () => {
    const before = note(noChanges, [running(9)]);
    expect(show(note(before, [running(9, 2)], true))[0]).toBe("job-9@2");
    expect(show(note(before, [ended(9)], true))[0]).toBe("job-9@5 leaving");
  });

  it("takes one back that comes to belong again", () => {
    const changes = note(note(noChanges, [ended(6)], true), [running(6, 6)], true);
    expect(show(changes)).toEqual(["job-8@1", "job-6@6", "job-4@1"]);
  });
});

it("forgets what a newer answer has in it, and keeps what came while that was under way", () => {
  const before = note(noChanges, [running(6, 2), running(9)], true);
  const after = note(before, [running(8, 4)], true);
  const forgotten = forgetChanges(after, before);
  expect([...forgotten.latest.keys()]).toEqual(["job-8"]);
  expect(countComing(forgotten)).toBe(0);
});
