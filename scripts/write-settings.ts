/** Writes docs/settings.md from the schema that the program reads its settings by; a test compares the two. */
import { writeFile } from "node:fs/promises";
import { settingsTable } from "../src/config.ts";

const target = new URL("../docs/settings.md", import.meta.url);

export function settingsPage(): string {
  return `# Settings

This page is written by \`node scripts/write-settings.ts\` from the schema in \`src/settings.ts\`.

A flag wins over the environment, the environment over \`docmill.config.ts\`, and that over the default. Wrong settings stop
the program with a list of all of them. \`docmill doctor --config\` prints every value and where it comes from.

${settingsTable()}

In a config file they are plain values:

\`\`\`ts
import { docmill } from "docmill";

export default docmill({ pipelines: [], settings: { port: 4000, concurrency: 8 } });
\`\`\`
`;
}

if (import.meta.main) await writeFile(target, settingsPage());
