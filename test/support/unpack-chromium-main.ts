/** Unpacks Chromium, its fonts and its libraries into the folder for temporary files: `chromium.ts` chooses which that is. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { inflate } from "@sparticuz/chromium";

const packed = join(createRequire(import.meta.url).resolve("@sparticuz/chromium"), "../../bin");
const archives = ["chromium.br", "fonts.tar.br", "swiftshader.tar.br", "al2023.tar.br"];
await Promise.all(archives.map((archive) => inflate(join(packed, archive))));
