#!/usr/bin/env bash
# Packs Docmill, installs the tarball in an empty folder as a user would, and checks with the machine's own Node.js that
# the command runs, the library and the client load with their types, a document is read and found, a config file's provider and pipeline
# work, the web page comes with its script, and the files found at run time came along.
set -euo pipefail
cd "$(dirname "$0")/.."
project=$PWD
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; wait; rm -rf "$work"' EXIT

npm pack --silent --pack-destination "$work" >/dev/null
mkdir "$work/user"
cd "$work/user"
cat >package.json <<'JSON'
{ "name": "user", "private": true, "type": "module" }
JSON
npm install --silent --no-audit "$work"/docmill-*.tgz

installed=node_modules/docmill
ls "$installed"/migrations/*.sql "$installed"/web/dist/index.html "$installed"/web/dist/docs.html \
  "$installed"/web/dist/docs-licences.txt "$installed"/samples/manifest.json "$installed"/LICENSE \
  >/dev/null
if compgen -G "$installed/src" >/dev/null; then
  echo "the package holds src; the launcher would prefer it to the build" >&2
  exit 1
fi

echo "the command, started by Node.js $(node --version):"
node "$installed/bin/docmill.js" --help

cat >docmill.config.ts <<'TS'
import { docmill, type EmbeddingProvider, pipeline, z } from "docmill";

const letters: EmbeddingProvider = {
  name: "letters",
  version: "1",
  dimensions: 26,
  embed: async (texts) => ({
    vectors: texts.map((text) => Array.from({ length: 26 }, (_, n) => 1 + text.split(String.fromCharCode(97 + n)).length)),
  }),
};
const headline = pipeline("headline", { input: z.object({ documentId: z.uuid() }) })
  .stage("read", async ({ input, docmill }) => (await docmill.documents.markdown(input.documentId)).split("\n", 1)[0])
  .stage("keep", async ({ outputs, docmill }) => {
    await docmill.files.put("headline.md", outputs.read ?? "");
    return { headline: outputs.read };
  });
export default docmill({
  pipelines: [headline],
  providers: { embeddings: letters },
  afterDocument: ({ id }) => [headline.job({ documentId: id })],
});
TS
cat >use.ts <<'TS'
import * as docmill from "docmill";
console.log("the library exports:", Object.keys(docmill).sort().join(", "));
TS
node_modules/.bin/node use.ts
"$project/node_modules/.bin/tsc" --ignoreConfig --noEmit --strict --module nodenext --target es2024 --types node \
  --typeRoots "$project/node_modules/@types" use.ts docmill.config.ts

# With the types of a browser and none of Node.js.
cat >use-client.ts <<'TS'
import { createClient, DocmillApiError } from "docmill/client";
const client = createClient({ url: "http://127.0.0.1:9" });
const error = await client.readStats().catch((thrown: unknown) => thrown);
if (!(error instanceof DocmillApiError)) throw new Error("a server that is not there answered");
console.log("the client has", Object.keys(client).length - 1, "operations;", error.code);
TS
node_modules/.bin/node use-client.ts
"$project/node_modules/.bin/tsc" --ignoreConfig --noEmit --strict --module nodenext --target es2024 \
  --lib es2024,dom,dom.iterable,dom.asynciterable --types "" use-client.ts

echo "a document, read and found:"
node "$installed/bin/docmill.js" serve --port 0 --data-dir "$work/data" >"$work/serve.log" 2>&1 &
server=$!
until grep -q "ready at" "$work/serve.log"; do
  kill -0 "$server" 2>/dev/null || { cat "$work/serve.log" >&2; exit 1; }
  sleep 0.2
done
DOCMILL_SERVER=$(sed -n 's/.*ready at //p' "$work/serve.log")
export DOCMILL_SERVER
printf '# Lamps\n\nThe lighthouse burns colza oil in winter.\n' >lamps.md
node "$installed/bin/docmill.js" add lamps.md
node "$installed/bin/docmill.js" search what fuel does the lighthouse use | grep -i "colza"

echo "the config file's provider and pipeline:"
grep "own/letters/1/26, yours (config file)" "$work/serve.log"
document=$(node "$installed/bin/docmill.js" add lamps.md --json | sed -n 's/.*"id": *"\([^"]*\)".*/\1/p' | head -n 1)
node "$installed/bin/docmill.js" run headline --input "{\"documentId\": \"$document\"}" --idempotency-key once --watch |
  grep "# Lamps"

echo "the web page, and its script:"
node --input-type=module - "$DOCMILL_SERVER" <<'JS'
const server = process.argv[2];
const page = await fetch(server);
const [, path] = /<script type="module"[^>]* src="([^"]+)"/.exec(await page.text()) ?? [];
const script = await fetch(new URL(path, server));
const bytes = (await script.arrayBuffer()).byteLength;
console.log(`${page.status}; ${path}: ${script.status}, ${script.headers.get("content-type")}, ${bytes} bytes`);
if (!page.ok || !script.ok || bytes < 100_000) throw new Error("the page is not the one that was built");
JS
