/**
 * Third stage, where the parser does not know the layout or the model was asked for: the model reads the sheet. It is
 * never asked about a swimmer whose name occurs nowhere in it. Its answer is paid for once, whatever happens afterwards.
 */
import { readFile } from "node:fs/promises";
import { TerminalError } from "../../../errors.ts";
import { ModelSheet, modelInstructions } from "../../../heatsheets/model-sheet.ts";
import { occursIn } from "../../../heatsheets/occurs-in.ts";
import type { Skipped, StageContext } from "../../../jobs/index.ts";
import type { ChatModel, ChatPart } from "../../../providers/models/chat-model.ts";
import type { HeatServices } from "../heat-services.ts";
import { findSource } from "../queries/find-source.ts";
import { findSheet, type KeptSheet, type SheetKey } from "../queries/keep-sheets.ts";
import { swimmerNotFound } from "../sheet-errors.ts";
import type { SheetInput } from "../sheet-input.ts";
import { inStage } from "../sheet-stage.ts";
import { pageBreak } from "../sheet-threads.ts";
import type { Checked } from "./check-sheet.ts";

type AskServices = Pick<HeatServices, "db" | "blobs" | "model" | "modelInput">;

export interface Asked {
  answer: ModelSheet | null;
}

export function askModel(services: AskServices) {
  return async (context: StageContext<SheetInput, { checking: Checked }>): Promise<Asked | Skipped<Asked>> => {
    const { input, outputs, progress, skip } = context;
    const { sheet, cached } = outputs.checking;
    if (cached) return skip({ answer: null });
    const kept = await requireSheet(services.db, sheet);
    const unknown = kept.sheet.kind === "unknown";
    // A timeline names nobody: its start times are for the other sheets, and there is nothing to ask.
    if ((!unknown && input.extractor !== "ai") || kept.sheet.kind === "timeline") return skip({ answer: null });
    const { model } = services;
    // A sheet that the parser knows is read by it if there is nobody else to ask, or nothing to ask about.
    if (!unknown && (!model || !occursIn(kept.content, input.swimmerName))) return skip({ answer: null });
    if (!occursIn(kept.content, input.swimmerName)) throw swimmerNotFound(input.swimmerName, []);
    if (!model) {
      const message =
        "The layout of this sheet is not known. A language model could read it: the server has none (DOCMILL_MODEL).";
      throw new TerminalError("EXTRACTION_FAILED", message);
    }
    await progress(inStage("uploading_to_ai", `Asking ${model.model}`));
    return { answer: await ask(services, model, context, kept.content) };
  };
}

/** The sheet was kept by the stage before; only a job that has waited for as long as sheets are kept misses it. */
export async function requireSheet(db: HeatServices["db"], key: SheetKey): Promise<KeptSheet> {
  const kept = await findSheet(db, key);
  if (!kept)
    throw new TerminalError("EXTRACTION_FAILED", "What was read of the sheet is no longer kept. Send it again.");
  return kept;
}

async function ask(
  { db, blobs, modelInput }: AskServices,
  model: ChatModel,
  { input, job, signal, remember }: StageContext<SheetInput, object>,
  content: string,
): Promise<ModelSheet> {
  const wanted: ChatPart = { type: "text", text: `Swimmer: ${input.swimmerName}` };
  const question = { schema: ModelSheet, name: "swims", instructions: modelInstructions, promptVersion: 1 };
  if (modelInput === "text") {
    const shown: ChatPart = { type: "text", text: choosePages(content, input.swimmerName) };
    return model.complete({ ...question, input: [wanted, shown] }, { signal, remember });
  }
  const { blobKey, filename } = await findSource(db, job.id);
  return blobs.withFile(
    blobKey as string,
    async (path) => {
      const data = await readFile(path);
      const file: ChatPart = { type: "file", data, mediaType: "application/pdf", filename };
      return model.complete({ ...question, input: [wanted, file] }, { signal, remember });
    },
    signal,
  );
}

/** The pages that name the swimmer, each with the one before it, where the event may begin; and the first, for the meet. */
function choosePages(content: string, swimmerName: string): string {
  const pages = content.split(pageBreak);
  const shown = pages.flatMap((text, index) => {
    const near = [text, pages[index + 1] ?? ""].some((page) => occursIn(page, swimmerName));
    return index === 0 || near ? [`Page ${index + 1}:\n${text}`] : [];
  });
  return shown.join("\n\n");
}
