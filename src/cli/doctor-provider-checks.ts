/**
 * The part of `docmill doctor` that looks at who reads, recognises and understands documents. A remote service is asked
 * one small thing, which is the only way to know that its address, key and model are right; it costs next to nothing.
 */
import { z } from "zod";
import type { Settings } from "../config.ts";
import { openMailer } from "../delivery/send-mail.ts";
import { openEmbedder, openModel } from "../open-documents.ts";
import type { CallContext } from "../providers/call-context.ts";
import { openLocalOcr } from "../providers/ocr/local/open-local-ocr.ts";
import { describeOwn, type Providers } from "../providers/own/own-providers.ts";
import { attempt, type Finding } from "./finding.ts";
import { providerHints } from "./provider-hints.ts";

const longestMs = 30_000;

export async function checkProviders(settings: Settings, own: Providers): Promise<Finding[]> {
  return [
    await checkOcr(settings, own),
    await checkEmbeddings(settings, own),
    await checkModel(settings, own),
    await checkMail(settings),
    {
      result: "ok",
      subject: "document service",
      message: own.extraction
        ? describeOwn(own.extraction)
        : (settings.azureDiEndpoint ?? `none; ${providerHints.extraction}`),
    },
  ];
}

async function checkOcr(settings: Settings, own: Providers): Promise<Finding> {
  if (own.ocr) return { result: "ok", subject: "OCR", message: describeOwn(own.ocr) };
  if (settings.ocr !== "local") return { result: "ok", subject: "OCR", message: settings.ocr };
  return attempt("OCR", async () => {
    const ocr = await openLocalOcr({ threads: 1, languages: settings.ocrLanguages.split("+") });
    try {
      return ocr.name;
    } finally {
      await ocr.close();
    }
  });
}

/** What a service would add is said here, and nowhere as an error: everything works without. */
async function checkEmbeddings(settings: Settings, own: Providers): Promise<Finding> {
  if (!own.embeddings && settings.embeddings === "local") {
    return { result: "ok", subject: "embeddings", message: `local, English; ${providerHints.embeddings}` };
  }
  return attempt("embeddings", async () => {
    const embedder = openEmbedder(settings, own);
    try {
      const [vector] = await embedder.embed(["Docmill"], askOnce());
      const who = own.embeddings ? describeOwn(own.embeddings) : `${settings.embeddings}, ${embedder.model}`;
      return `${who}: answers with ${vector?.length} dimensions`;
    } catch (error) {
      // What an own one says names it already.
      if (own.embeddings) throw error;
      throw adviseOn(error, "DOCMILL_EMBEDDINGS_URL, DOCMILL_EMBEDDINGS_KEY and DOCMILL_EMBEDDINGS_MODEL");
    } finally {
      await embedder.close();
    }
  });
}

async function checkModel(settings: Settings, own: Providers): Promise<Finding> {
  const subject = "language model";
  const model = openModel(settings, own);
  // It may know one trade only: a question that is none of its author's would say nothing of it.
  if (own.model) return { result: "ok", subject, message: describeOwn(own.model) };
  if (!model) {
    return { result: "ok", subject, message: `none; ${providerHints.model}` };
  }
  return attempt(subject, async () => {
    const question = {
      schema: z.object({ ready: z.boolean() }),
      name: "readiness",
      instructions: "Answer with ready: true.",
      input: [{ type: "text" as const, text: "Are you ready?" }],
      promptVersion: 1,
    };
    try {
      await model.complete(question, askOnce());
      return `${model.provider}, ${model.model}: answers`;
    } catch (error) {
      throw adviseOn(error, "DOCMILL_MODEL_URL, DOCMILL_MODEL_KEY and DOCMILL_MODEL");
    }
  });
}

/** Connects and logs in, and sends nothing. */
async function checkMail({ smtpUrl, mailFrom }: Settings): Promise<Finding> {
  const subject = "mail";
  if (smtpUrl === undefined || mailFrom === undefined) {
    return { result: "ok", subject, message: `none; ${providerHints.mail}` };
  }
  return attempt(subject, async () => {
    const mailer = openMailer({ url: smtpUrl, from: mailFrom, timeoutMs: longestMs });
    try {
      await mailer.check();
      return `${mailFrom}: the server takes messages`;
    } catch (error) {
      throw adviseOn(error, "DOCMILL_SMTP_URL");
    } finally {
      mailer.close();
    }
  });
}

/** Nothing is kept of the answer: another doctor asks anew. */
function askOnce(): CallContext {
  const signal = AbortSignal.timeout(longestMs);
  return { signal, remember: async ({ call }) => (await call(signal)).answer };
}

function adviseOn(error: unknown, settings: string): Error {
  return new Error(`${(error as Error).message} Check ${settings}.`, { cause: error });
}
