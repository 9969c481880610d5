/** A language model over OpenAI's protocol, against a server that speaks it. */
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { ChatPart } from "../../src/providers/models/chat-model.ts";
import { type ChatModelOptions, openChatModel } from "../../src/providers/models/open-chat-model.ts";
import { type FakeOpenAiOptions, startFakeOpenAi } from "../support/fake-openai.ts";
import type { FakeService } from "../support/fake-service.ts";
import { rememberCalls } from "../support/remembered-calls.ts";

const apiKey = "invented-key";
const invoice = z.object({
  number: z.string().min(1),
  total: z.number().positive(),
  note: z.string().optional(),
  lines: z.array(z.object({ text: z.string(), amount: z.number().nullable() })),
});
const question = {
  schema: invoice,
  name: "invoice",
  instructions: "Read the invoice.",
  input: [{ type: "text", text: "Invoice 7, total 12.50" }] as ChatPart[],
  promptVersion: 1,
};
const good = { number: "7", total: 12.5, note: null, lines: [{ text: "Pens", amount: null }] };
const read = { number: "7", total: 12.5, lines: [{ text: "Pens", amount: null }] };

let service: FakeService;

afterEach(() => service.close());

async function open(options: FakeOpenAiOptions = {}, settings: Partial<ChatModelOptions> = {}) {
  service = await startFakeOpenAi({ apiKey, answerChat: () => good, ...options });
  return openChatModel({ baseUrl: `${service.url}/v1`, apiKey, model: "reader-1", ...settings });
}

function bodies() {
  return service.requests.map(({ body }) => JSON.parse(body.toString()));
}

describe("an answer", () => {
  it("is held to the schema by the server, checked, and paid for once", async () => {
    const chat = await open({}, { prices: { inputPerMillion: 3, outputPerMillion: 10 } });
    const call = rememberCalls();
    expect(await chat.complete(question, call)).toEqual(read);
    expect(await chat.complete(question, call)).toEqual(read);
    expect(service.calls()).toMatchObject([{ path: "/v1/chat/completions", requests: 1, paid: 1 }]);
    const [{ response_format: format }] = bodies();
    expect(format).toMatchObject({ type: "json_schema", json_schema: { name: "invoice", strict: true } });
    expect(format.json_schema.schema).toMatchObject({
      required: ["number", "total", "note", "lines"],
      additionalProperties: false,
      properties: { note: { anyOf: [{ type: "string" }, { type: "null" }] } },
    });
    const [[key, paid] = []] = [...call.paid];
    const { tokensIn = 0, tokensOut = 0, costMicros } = paid ?? {};
    expect(tokensIn * tokensOut).toBeGreaterThan(0);
    expect(costMicros).toBe(tokensIn * 3 + tokensOut * 10);
    expect(service.requests[0]?.headers["idempotency-key"]).toBe(key);
  });

  it("is another one for another prompt, input or file", async () => {
    const chat = await open();
    const call = rememberCalls();
    const image = (...bytes: number[]): ChatPart => ({
      type: "image",
      data: Uint8Array.from(bytes),
      mediaType: "image/png",
    });
    await chat.complete(question, call);
    await chat.complete({ ...question, promptVersion: 2 }, call);
    await chat.complete({ ...question, instructions: "Read it well." }, call);
    await chat.complete({ ...question, input: [image(1, 2)] }, call);
    await chat.complete({ ...question, input: [image(1, 3)] }, call);
    await chat.complete({ ...question, input: [image(1, 3)] }, call);
    expect(service.requests).toHaveLength(5);
  });

  it("may be to images and files", async () => {
    const chat = await open();
    const input: ChatPart[] = [
      { type: "text", text: "Both pages." },
      { type: "image", data: Uint8Array.of(255, 216), mediaType: "image/jpeg" },
      { type: "file", data: Buffer.from("%PDF-"), mediaType: "application/pdf", filename: "invoice.pdf" },
    ];
    await chat.complete({ ...question, input }, rememberCalls());
    expect(bodies()[0].messages[1].content).toMatchObject([
      { type: "text", text: "Both pages." },
      { type: "image_url", image_url: { url: "data:image/jpeg;base64,/9g=" } },
      { type: "file", file: { filename: "invoice.pdf", file_data: "data:application/pdf;base64,JVBERi0=" } },
    ]);
  });

  it("may stand between words", async () => {
    const chat = await open({ plan: [{ wrong: "fenced" }] });
    expect(await chat.complete(question, rememberCalls())).toEqual(read);
  });

  it("that does not fit is sent back once, with what is wrong", async () => {
    const chat = await open({ plan: [{ wrong: "not-matching" }] });
    const call = rememberCalls();
    expect(await chat.complete(question, call)).toEqual(read);
    expect(call.paid.size).toBe(2);
    const [, { messages }] = bodies();
    expect(messages.map(({ role }: { role: string }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect(messages[3].content).toContain("number");
    // Both are remembered: whoever asks again pays for neither.
    expect(await chat.complete(question, call)).toEqual(read);
    expect(service.requests).toHaveLength(2);
  });

  it("that does not fit either then is final, and may be tried for again by a person", async () => {
    const chat = await open({ plan: [{ wrong: "not-matching" }, { wrong: "not-matching" }] });
    const call = rememberCalls();
    await expect(chat.complete(question, call)).rejects.toMatchObject({ code: "BAD_ANSWER", retryable: false });
    expect(await chat.complete(question, call)).toEqual(read);
    expect(service.requests).toHaveLength(3);
  });

  it.each([
    ["refusal", "MODEL_REFUSED", false],
    ["length", "ANSWER_CUT", false],
    ["nothing", "BAD_ANSWER", true],
  ])("that is a %s is the error %s", async (wrong, code, retryable) => {
    const chat = await open({ plan: [{ wrong }] });
    const call = rememberCalls();
    await expect(chat.complete(question, call)).rejects.toMatchObject({ code, retryable });
    expect(call.paid.size).toBe(0);
  });
});

describe("a server that knows less", () => {
  it.each([
    [["json_schema"], ["json_schema", "json_object", "json_object"]],
    [
      ["json_schema", "json_object"],
      ["json_schema", "json_object", undefined, undefined],
    ],
  ] as const)("%j is told the schema in words, and not asked again", async (unknown, formats) => {
    const chat = await open({ unknown, answerChat: undefined });
    const call = rememberCalls();
    expect(await chat.complete(question, call)).toMatchObject({ total: 1, lines: [{}] });
    await chat.complete({ ...question, promptVersion: 2 }, call);
    expect(bodies().map((body) => body.response_format?.type)).toEqual(formats);
  });

  it("learns the same from calls side by side", async () => {
    const chat = await open({ unknown: ["json_schema"] });
    const call = rememberCalls();
    await Promise.all([1, 2, 3].map((promptVersion) => chat.complete({ ...question, promptVersion }, call)));
    expect(new Set(bodies().map((body) => body.response_format?.type))).toEqual(
      new Set(["json_schema", "json_object"]),
    );
  });

  it("is spared the temperature and the limit it does not know", async () => {
    const settings = { temperature: 0, maxOutputTokens: 500 };
    const chat = await open({ unknown: ["temperature", "max_completion_tokens"] }, settings);
    expect(await chat.complete(question, rememberCalls())).toEqual(read);
    const last = bodies().at(-1);
    expect(last).toMatchObject({ max_tokens: 500 });
    expect(last).not.toHaveProperty("temperature");
  });

  it("that refuses for another reason is believed at once", async () => {
    const chat = await open({ plan: [{ status: 400, body: { error: { message: "The context is too long." } } }] });
    await expect(chat.complete(question, rememberCalls())).rejects.toMatchObject({ code: "HTTP_400" });
    expect(service.requests).toHaveLength(1);
  });
});

it("Azure's deployments are asked under their own address", async () => {
  service = await startFakeOpenAi({ apiKey, answerChat: () => good });
  const azure = { endpoint: service.url, apiKey, deployment: "reader", apiVersion: "2024-10-21" };
  const chat = openChatModel({ azure });
  expect(chat).toMatchObject({ provider: "azure", model: "reader" });
  expect(await chat.complete(question, rememberCalls())).toEqual(read);
  expect(service.requests[0]?.path).toBe("/openai/deployments/reader/chat/completions");
});
