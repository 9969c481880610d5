/** Finds the data of the languages to read: on the native Tesseract's shelf, in the package, or where a path says. */
import { access } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { TerminalError } from "../../../errors.ts";
import type { NativeTesseract } from "./find-tesseract.ts";

export interface LanguageData {
  /** `eng` */
  name: string;
  file: string;
  /** It lies where the native Tesseract looks by itself. */
  onShelf: boolean;
}

export function findLanguages(wanted: readonly string[], tesseract?: NativeTesseract): Promise<LanguageData[]> {
  return Promise.all(wanted.map((language) => findLanguage(language, tesseract)));
}

async function findLanguage(language: string, tesseract: NativeTesseract | undefined): Promise<LanguageData> {
  if (/\.traineddata(\.gz)?$/u.test(language)) {
    const name = basename(language).replace(/\.traineddata(\.gz)?$/u, "");
    if (!(await isThere(language))) throw missing(language, `there is no file ${language}`);
    return { name, file: language, onShelf: false };
  }
  if (tesseract?.languages.includes(language)) {
    return { name: language, file: join(tesseract.dataFolder, `${language}.traineddata`), onShelf: true };
  }
  if (language === "eng") return { name: language, file: packagedEnglish(), onShelf: false };
  throw missing(
    language,
    tesseract ? `tesseract ${tesseract.version} does not have it` : "only eng comes with Docmill",
  );
}

/** The data that Tesseract calls "best", with whole-number weights; the package holds no smaller one. */
function packagedEnglish(): string {
  return fileURLToPath(import.meta.resolve("@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz"));
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

function missing(language: string, why: string): TerminalError {
  const next =
    "Install Tesseract 5 with that language (Debian: apt-get install tesseract-ocr-deu, for German), or give the path of its .traineddata file.";
  return new TerminalError("OCR_LANGUAGE_MISSING", `OCR cannot read "${language}": ${why}. ${next}`, {
    details: { language },
  });
}
