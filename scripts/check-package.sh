#!/usr/bin/env bash
# Packs Docmill, installs the tarball in an empty folder as a user would, and checks with the machine's own Node.js that
# the command runs, the library loads with its types, a document is read and found, the web page comes with its script,
# and the files found at run time came along.
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
ls "$installed"/migrations/*.sql "$installed"/web/dist/index.html "$installed"/samples/manifest.json "$installed"/LICENSE \
  >/dev/null
if compgen -G "$installed/src" >/dev/null; then
  echo "the package holds src; the launcher would prefer it to the build" >&2
  exit 1
fi

echo "the command, started by Node.js $(node --version):"
node "$installed/bin/docmill.js" --help

cat >use.ts <<'TS'
import * as docmill from "docmill";
console.log("the library exports:", Object.keys(docmill).sort().join(", "));
TS
node_modules/.bin/node use.ts
"$project/node_modules/.bin/tsc" --ignoreConfig --noEmit --strict --module nodenext --target es2024 --types node \
  --typeRoots "$project/node_modules/@types" use.ts

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
