#!/usr/bin/env bash
# Packs Docmill, installs the tarball in an empty folder as a user would, and checks with the machine's own Node.js that
# the command runs, the library loads with its types, and the files found at run time came along.
set -euo pipefail
cd "$(dirname "$0")/.."
project=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

npm pack --silent --pack-destination "$work" >/dev/null
mkdir "$work/user"
cd "$work/user"
cat >package.json <<'JSON'
{ "name": "user", "private": true, "type": "module" }
JSON
npm install --silent --no-audit "$work"/docmill-*.tgz

installed=node_modules/docmill
ls "$installed"/migrations/*.sql "$installed"/web/public/index.html "$installed"/LICENSE >/dev/null
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
