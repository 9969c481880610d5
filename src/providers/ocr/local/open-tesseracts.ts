/**
 * Native Tesseracts for as many images as are read side by side. They stay for some time after their last one, where
 * `stdbuf` can have them tell what they found at once; where it cannot, each reads one image and is replaced.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { GreyImage } from "./grey-image.ts";
import type { FoundWord } from "./place-words.ts";
import { layBlank, type ReadLimits, startTesseract, type Tesseract } from "./start-tesseract.ts";

export interface Tesseracts {
  read(image: GreyImage, limits: ReadLimits): Promise<FoundWord[]>;
  /** When nothing is read any more. */
  close(): Promise<void>;
}

const idleMs = 30_000;
/** Far more than one needs to start; one that holds its answers back would never give it. */
const firstAnswerMs = 5_000;
const tiny: GreyImage = { data: new Uint8Array(32 * 32).fill(255), width: 32, height: 32 };

export async function openTesseracts(options: { command: string; arguments: readonly string[] }): Promise<Tesseracts> {
  const folder = await mkdtemp(join(tmpdir(), "docmill-ocr-"));
  await layBlank(folder);
  const idle = new Map<Tesseract, NodeJS.Timeout>();
  let started = 0;
  let staying: Promise<boolean> | undefined;

  return {
    async read(image, limits) {
      staying ??= tryStaying();
      const stays = await staying;
      const tesseract = takeIdle() ?? start(stays);
      const words = await tesseract.read(image, limits);
      if (stays) keep(tesseract);
      return words;
    },
    async close() {
      for (let left = takeIdle(); left; left = takeIdle()) left.end();
      await rm(folder, { recursive: true, force: true });
    },
  };

  function start(stays: boolean): Tesseract {
    return startTesseract({ ...options, folder, name: String(started++), stays });
  }

  async function tryStaying(): Promise<boolean> {
    const tesseract = start(true);
    const limits = { signal: new AbortController().signal, deadlineMs: firstAnswerMs };
    return tesseract.read(tiny, limits).then(
      () => {
        keep(tesseract);
        return true;
      },
      () => false,
    );
  }

  function keep(tesseract: Tesseract): void {
    const leave = () => {
      idle.delete(tesseract);
      tesseract.end();
    };
    idle.set(tesseract, setTimeout(leave, idleMs).unref());
  }

  /** The one that was at work last: the others may go. */
  function takeIdle(): Tesseract | undefined {
    for (const [tesseract, leaving] of [...idle].reverse()) {
      clearTimeout(leaving);
      idle.delete(tesseract);
      if (!tesseract.isGone()) return tesseract;
    }
    return undefined;
  }
}
