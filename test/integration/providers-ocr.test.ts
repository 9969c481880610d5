/** OCR by remote services: a model that sees, and Azure's read model. */
import sharp from "sharp";
import { afterEach, describe, expect, it } from "vitest";
import { openChatModel } from "../../src/providers/models/open-chat-model.ts";
import type { PageImage } from "../../src/providers/ocr/ocr-engine.ts";
import { openAzureOcr } from "../../src/providers/ocr/open-azure-ocr.ts";
import { openModelOcr } from "../../src/providers/ocr/open-model-ocr.ts";
import { startFakeDocumentIntelligence } from "../support/fake-document-intelligence.ts";
import { startFakeOpenAi } from "../support/fake-openai.ts";
import type { FakeService } from "../support/fake-service.ts";
import { rememberCalls } from "../support/remembered-calls.ts";

let service: FakeService;

afterEach(() => service.close());

/** A letter page at 100 dpi with a black bar on it. */
function greyPage(ink = 0): PageImage {
  const data = new Uint8Array(850 * 1100).fill(255);
  data.fill(ink, 850 * 100, 850 * 120);
  return { data, format: "grey", width: 850, height: 1100, dpi: 100 };
}

async function openReader(answer: unknown) {
  service = await startFakeOpenAi({ answerChat: () => answer });
  return openModelOcr({ chat: openChatModel({ baseUrl: service.url, model: "seer-1" }) });
}

describe("a model that sees", () => {
  it("gives lines with boxes, which become words in points", async () => {
    const box = { left: 100, top: 100, right: 500, bottom: 120 };
    const ocr = await openReader({ lines: [{ text: "Total due", box }] });
    const page = await ocr.recognise(greyPage(), rememberCalls());
    expect(page).toMatchObject({ width: 612, height: 792, turned: 0, blank: false });
    expect(page.words.map(({ text }) => text)).toEqual(["Total", "due"]);
    const [total, due] = page.words;
    expect(total?.box.x).toBeCloseTo(61.2);
    expect(total?.box.y).toBeCloseTo(79.2);
    expect(due?.box.x).toBeCloseTo(61.2 + (244.8 * 6) / 9);
    expect((due?.box.x ?? 0) + (due?.box.width ?? 0)).toBeCloseTo(306);
    expect(total).not.toHaveProperty("confidence");
    expect(ocr).toMatchObject({ name: "seer-1", source: "model" });
  });

  it("sends the page as a PNG of bearable size, paid for once", async () => {
    const ocr = await openReader({ lines: [] });
    const call = rememberCalls();
    const large = await sharp({ create: { width: 3000, height: 4000, channels: 3, background: "white" } })
      .composite([{ input: { create: { width: 500, height: 80, channels: 3, background: "black" } }, left: 9, top: 9 }])
      .jpeg()
      .toBuffer();
    const image: PageImage = { data: new Uint8Array(large), format: "encoded", width: 3000, height: 4000, dpi: 300 };
    const page = await ocr.recognise(image, call);
    await ocr.recognise(image, call);
    expect(page).toMatchObject({ words: [], blank: false });
    expect(page.width).toBeCloseTo(720, 0);
    expect(page.height).toBeCloseTo(960, 0);
    expect(service.requests).toHaveLength(1);
    const { messages } = JSON.parse(service.requests[0]?.body.toString() ?? "");
    const sent = Buffer.from(messages[1].content[0].image_url.url.split(",")[1], "base64");
    expect(await sharp(sent).metadata()).toMatchObject({ format: "png", height: 2048 });
  });

  it.each([
    ["does not know", null],
    ["gets wrong", { left: 900, top: 0, right: 100, bottom: 5000 }],
  ])("may give lines whose place it %s: they are put one below the other, on the page", async (_, box) => {
    const lines = Array.from({ length: 200 }, (_line, index) => ({ text: `line ${index} ${"x".repeat(index)}`, box }));
    const ocr = await openReader({ lines });
    const { words, width, height } = await ocr.recognise(greyPage(), rememberCalls());
    expect(words).toHaveLength(599);
    const tops = words.filter(({ text }) => text === "line").map(({ box }) => box.y);
    expect(tops).toEqual([...new Set(tops)].sort((a, b) => a - b));
    for (const { box: placed } of words) {
      expect(placed.x + placed.width).toBeLessThan(width);
      expect(placed.y + placed.height).toBeLessThan(height);
    }
  });

  it("is not asked about a page of one tone", async () => {
    const ocr = await openReader({ lines: [] });
    expect(await ocr.recognise(greyPage(250), rememberCalls())).toMatchObject({ words: [], blank: true });
    expect(service.requests).toEqual([]);
  });

  it("sees photographs upright", async () => {
    const ocr = await openReader({ lines: [{ text: "up", box: { left: 0, top: 0, right: 1000, bottom: 1000 } }] });
    const ink = { create: { width: 50, height: 50, channels: 3 as const, background: "black" } };
    const turned = await sharp({ create: { width: 400, height: 200, channels: 3, background: "white" } })
      .composite([{ input: ink, left: 0, top: 0 }])
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const image: PageImage = { data: new Uint8Array(turned), format: "encoded", width: 400, height: 200, dpi: 72 };
    const page = await ocr.recognise(image, rememberCalls());
    expect(page).toMatchObject({ width: 200, height: 400, turned: 90 });
    expect(page.words).toMatchObject([{ text: "up", box: { x: 0, y: 0, width: 200, height: 400 } }]);
  });
});

describe("Azure's read model", () => {
  it("gives words in points, paid for once for the same page", async () => {
    const azure = await startFakeDocumentIntelligence({
      analyse: () => ({
        pages: [
          {
            pageNumber: 1,
            width: 850,
            height: 1100,
            unit: "pixel",
            words: [{ content: "Total", polygon: [100, 100, 200, 100, 200, 120, 100, 120], confidence: 0.97 }],
          },
        ],
      }),
    });
    service = azure;
    const ocr = openAzureOcr({ endpoint: azure.url, apiKey: "invented-key" });
    const call = rememberCalls();
    const page = await ocr.recognise(greyPage(), call);
    await ocr.recognise(greyPage(), call);
    expect(page).toEqual({
      words: [{ text: "Total", box: { x: 72, y: 72, width: 72, height: 14.4 }, confidence: 0.97 }],
      width: 612,
      height: 792,
      turned: 0,
      blank: false,
    });
    expect(azure.uploads()).toMatchObject([{ model: "prebuilt-read", times: 1 }]);
    expect(ocr.source).toBe("azure");
  });
});
