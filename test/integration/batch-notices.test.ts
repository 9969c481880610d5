/** Who asked to be told of a batch's end is told once, by mail, and forgotten; the operator's webhook gets the signed event. */
import { Webhook as Verifier } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { closeGate } from "../support/database-gate.ts";
import { type DocumentPlace, openDocumentPlace } from "../support/document-place.ts";
import { type HeatClient, openHeatClient } from "../support/heat-client.ts";
import { type Hook, type Mailbox, startHook, startMailbox } from "../support/heat-mailbox.ts";
import { makeProgram, swimmer } from "../support/heat-sheets.ts";
import { makeDue } from "../support/make-due.ts";
import { readErrors, readStream } from "../support/read-job.ts";
import { until } from "../support/until.ts";

const secret = `whsec_${Buffer.from("a key of twenty-four byte").toString("base64")}`;
const email = "parent@example.org";

let mailbox: Mailbox;
let hook: Hook;
let place: DocumentPlace;
let heats: HeatClient;
beforeAll(async () => {
  [mailbox, hook] = await Promise.all([startMailbox(), startHook()]);
  place = await openDocumentPlace({
    settings: {
      DOCMILL_SMTP_URL: mailbox.url,
      DOCMILL_MAIL_FROM: "Docmill <docmill@example.org>",
      DOCMILL_WEBHOOK_URL: hook.url,
      DOCMILL_WEBHOOK_SECRET: secret,
      DOCMILL_PUBLIC_URL: "https://heats.example.org",
      DOCMILL_CONCURRENCY: "4",
    },
  });
  heats = openHeatClient(place.url);
  await place.startWorker();
});
afterAll(async () => {
  await place.close();
  await Promise.all([mailbox.close(), hook.close()]);
});
beforeEach(async () => {
  await place.atRest();
  mailbox.received.length = 0;
  hook.received.length = 0;
});

let made = 0;
const newFile = () => makeProgram(`notice-${++made}.pdf`);
const addressOf = async (batchId: string) =>
  (
    await place.db.query<{ notifyEmail: string | null }>(
      sql`select notify_email from heat_batches where batch_id = ${batchId}`,
    )
  )[0]?.notifyEmail;
const jobsOf = (kind: string, batchId: string) =>
  place.db.query<{ id: string; status: string; errorCode: string | null }>(
    sql`select id, status, error_code from jobs where kind = ${kind} and input ->> 'batchId' = ${batchId}`,
  );
const notify = (batchId: string, address = email) => heats.post(`/api/batch/${batchId}/notify`, { email: address });
/** A batch that stands still until the gate is opened. */
const gateSheets = () => closeGate(place.databaseUrl, "lock table heat_sheets in access exclusive mode");

describe("mail", () => {
  it("goes to who left an address, once, with the schedule and the link; then the address is gone", async () => {
    const { batchId } = await heats.start({ files: [newFile()], notifyEmail: ` ${email} ` });
    await place.atRest();
    expect(mailbox.received.map(({ to }) => to)).toEqual([email]);
    const [{ email: message } = { email: undefined }] = mailbox.received;
    expect(message?.subject).toBe(`${swimmer}: 2 events`);
    expect(message?.text).toContain("#1 Girls 11-12 50 LC Meter Freestyle: heat 2 of 2, lane 2");
    expect(message?.text).toContain(`https://heats.example.org/batches/${batchId}`);
    expect(await addressOf(batchId)).toBeNull();
    const everywhere = await place.db.query(sql`
      select from jobs where to_jsonb(jobs)::text like ${`%${email}%`}
      union all select from events where data::text like ${`%${email}%`}
      union all select from batches where to_jsonb(batches)::text like ${`%${email}%`}`);
    expect(everywhere).toEqual([]);
  });

  it("is sent at once where the batch has ended, also one that failed", async () => {
    const { batchId } = await heats.start({ swimmer: "Nobody Known", files: [newFile()] });
    expect((await heats.ended(batchId)).batch.status).toBe("failed");
    await place.atRest();
    expect(mailbox.received).toEqual([]);
    expect(await notify(batchId)).toEqual({ status: 200, body: { success: true } });
    await place.atRest();
    expect(mailbox.received).toHaveLength(1);
    expect(mailbox.received[0]?.email.text).toContain("Nobody Known does not occur in this sheet.");
    expect(await addressOf(batchId)).toBeNull();
  });

  it("is sent when the batch ends to who asks while it runs, and to the last address left", async () => {
    await using gate = await gateSheets();
    const { batchId } = await heats.start({ files: [newFile()], notifyEmail: "first@example.org" });
    await notify(batchId, "second@example.org");
    await notify(batchId);
    expect(mailbox.received).toEqual([]);
    await gate.open();
    await heats.ended(batchId);
    await place.atRest();
    expect(mailbox.received.map(({ to }) => to)).toEqual([email]);
  });

  it("is sent exactly once when asking and ending meet", async () => {
    const batches = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const { batchId } = await heats.start({ files: [newFile()] });
        if (index % 2 === 0) await heats.shows(batchId, ({ batch }) => batch.lastEventId >= index);
        expect((await notify(batchId)).status).toBe(200);
        return batchId;
      }),
    );
    await Promise.all(batches.map((batchId) => heats.ended(batchId)));
    await place.atRest();
    const told = mailbox.received.map(({ email: { messageId } }) => messageId).sort();
    expect(told).toEqual(batches.map((batchId) => `<batch-${batchId}@docmill>`).sort());
  });

  it("is sent exactly once to who asks again while it is being sent", async () => {
    const held = mailbox.holdNext();
    const { batchId } = await heats.start({ files: [newFile()], notifyEmail: email });
    const letGo = await held;
    expect((await notify(batchId)).status).toBe(200);
    letGo();
    await place.atRest();
    expect(mailbox.received).toHaveLength(1);
    expect(await addressOf(batchId)).toBeNull();
  });

  it("goes to the new address too where that is another than the one it is being sent to", async () => {
    const held = mailbox.holdNext();
    const { batchId } = await heats.start({ files: [newFile()], notifyEmail: "first@example.org" });
    const letGo = await held;
    await notify(batchId);
    letGo();
    await place.atRest();
    expect(mailbox.received.map(({ to }) => to)).toEqual(["first@example.org", email]);
    expect(await addressOf(batchId)).toBeNull();
  });

  it("that is refused fails its own job and never the batch, and is not lost", async () => {
    mailbox.refusals.push(554);
    const { batchId } = await heats.start({ files: [newFile()], notifyEmail: email });
    expect((await heats.ended(batchId)).batch.status).toBe("completed");
    await place.atRest();
    const [job] = await jobsOf("batch_mail", batchId);
    expect(job).toMatchObject({ status: "failed", errorCode: "MAIL_REFUSED" });
    expect(await addressOf(batchId)).toBe(email);
    expect((await heats.post(`/api/jobs/${job?.id}/retry`)).status).toBe(200);
    await place.atRest();
    expect(mailbox.received.map(({ to }) => to)).toEqual([email]);
    expect(await addressOf(batchId)).toBeNull();
    expect((await heats.show(batchId)).batch.status).toBe("completed");
  });

  it("that is put off is sent later, without holding the batch up", async () => {
    mailbox.refusals.push(451);
    const { batchId } = await heats.start({ files: [newFile()], notifyEmail: email });
    await heats.ended(batchId);
    const job = await until(async () => {
      const [found] = await jobsOf("batch_mail", batchId);
      return found && (await readErrors(place.db, found.id)).length > 0 && found;
    });
    const [retrying] = (await readStream(place.db, job.id)).filter(({ type }) => type === "job_retrying");
    expect(retrying?.data).toMatchObject({ errorCode: "SERVICE_UNAVAILABLE", delayMs: 10_000 });
    expect(JSON.stringify(await readErrors(place.db, job.id))).not.toContain(email);
    // Whoever asks again now does not wait for it, and gets one message all the same.
    await notify(batchId);
    await until(() => mailbox.received.length > 0);
    await makeDue(place.db, job.id);
    await place.atRest();
    expect(mailbox.received).toHaveLength(1);
  });

  it("of a cancelled batch is not sent, unless it is taken up again", async () => {
    await using gate = await gateSheets();
    const { batchId } = await heats.start({ files: [newFile()], notifyEmail: email });
    expect((await heats.post(`/api/batch/${batchId}/cancel`)).body.cancelledJobs).toBe(1);
    await gate.open();
    await place.atRest();
    expect(mailbox.received).toEqual([]);
    await heats.post(`/api/batch/${batchId}/retry`);
    await heats.ended(batchId);
    await place.atRest();
    expect(mailbox.received.map(({ to }) => to)).toEqual([email]);
  });

  it.each(["", "parent", "a@b", "a@example.org, b@example.org", `${"x".repeat(250)}@example.org`, 7])(
    "is not promised to %j",
    async (address) => {
      const { batchId } = await heats.start({ files: [newFile()] });
      const { status, body } = await heats.post(`/api/batch/${batchId}/notify`, { email: address });
      expect(body).toMatchObject({ success: false });
      expect([400, 422]).toContain(status);
      expect(await addressOf(batchId)).toBeNull();
      await heats.ended(batchId);
    },
  );
});

it("without a mail server the address is kept, and the answer says what is missing", async () => {
  await using plain = await openDocumentPlace();
  const client = openHeatClient(plain.url);
  await plain.startWorker();
  const { batchId } = await client.start({ files: [newFile()] });
  const { status, body } = await client.post(`/api/batch/${batchId}/notify`, { email });
  expect([status, body]).toMatchObject([200, { success: true, notice: expect.stringContaining("DOCMILL_SMTP_URL") }]);
  expect((await client.ended(batchId)).batch.status).toBe("completed");
  await plain.atRest();
  const jobs = await plain.db.query(sql`select status, error_code from jobs where kind = 'batch_mail'`);
  expect(jobs).toEqual([{ status: "failed", errorCode: "MAIL_NOT_CONFIGURED" }]);
});

describe("the webhook", () => {
  it("gets the event that ended the batch, signed so that another implementation accepts it", async () => {
    const { batchId } = await heats.start({ files: [newFile()] });
    const { batch, jobs } = await heats.ended(batchId);
    await place.atRest();
    expect(hook.received).toHaveLength(1);
    const { headers, body } = hook.received[0] as Hook["received"][number];
    const told = new Verifier(secret).verify(body, headers as Record<string, string>);
    expect(told).toEqual({
      type: "batch_completed",
      timestamp: expect.any(String),
      data: {
        batchId,
        eventId: batch.lastEventId,
        status: "completed",
        completedJobs: 1,
        failedJobs: 0,
        totalEvents: 2,
        results: [expect.objectContaining({ jobId: jobs[0]?.id, resultCode: jobs[0]?.resultCode, eventCount: 2 })],
      },
    });
    expect(headers["webhook-id"]).toBe(`${batchId}-${batch.lastEventId}`);
  });

  it("is called again after an error, under the same id; the batch has ended long since", async () => {
    hook.refusals.push(500);
    const { batchId } = await heats.start({ files: [newFile()] });
    await heats.ended(batchId);
    await until(() => hook.received.length === 1);
    const [job] = await until(async () => {
      const found = await jobsOf("batch_webhook", batchId);
      return found[0]?.status === "pending" && (await readErrors(place.db, found[0].id)).length === 1 && found;
    });
    const [retrying] = (await readStream(place.db, job?.id ?? "")).filter(({ type }) => type === "job_retrying");
    expect(retrying?.data).toMatchObject({ errorCode: "SERVICE_UNAVAILABLE", delayMs: 5_000 });
    await makeDue(place.db, job?.id ?? "");
    await place.atRest();
    expect(hook.received.map(({ status }) => status)).toEqual([500, 204]);
    expect(hook.received[1]?.headers["webhook-id"]).toBe(hook.received[0]?.headers["webhook-id"]);
    expect((await heats.show(batchId)).batch.status).toBe("completed");
  });

  it("is told of every end, and of no cancelled batch", async () => {
    await using gate = await gateSheets();
    const { batchId } = await heats.start({ swimmer: "Nobody Known", files: [newFile()] });
    await heats.post(`/api/batch/${batchId}/cancel`);
    await gate.open();
    await place.atRest();
    expect(hook.received).toEqual([]);
    for (const times of [1, 2]) {
      await heats.post(`/api/batch/${batchId}/retry`);
      await heats.ended(batchId);
      await place.atRest();
      expect(hook.received).toHaveLength(times);
    }
    const ids = hook.received.map(({ headers }) => headers["webhook-id"]);
    expect(new Set(ids).size).toBe(2);
  });
});
