import { expect, test } from "vitest";
import { findRefused, isAcceptable } from "../scripts/check-licences.ts";

test.each([
  "MIT",
  "Apache-2.0",
  "(MIT OR GPL-3.0)",
  "GPL-2.0-only OR BSD-3-Clause",
  "LGPL-3.0-or-later",
  "(MIT AND Zlib)",
])("%s passes", (licence) => expect(isAcceptable(licence)).toBe(true));

test.each(["GPL-3.0", "AGPL-3.0-only", "MIT AND GPL-2.0", "GPL-2.0 OR AGPL-3.0", "UNLICENSED", "SEE LICENSE IN x", ""])(
  "%j is refused",
  (licence) => expect(isAcceptable(licence)).toBe(false),
);

test("only what users install is judged, and a package that names no licence is refused", () => {
  const refused = findRefused({
    "": { license: "GPL-3.0" },
    web: { license: "GPL-3.0" },
    "node_modules/@docmill/web": { link: true },
    "node_modules/tool": { dev: true, license: "GPL-3.0" },
    "node_modules/fine": { license: "MIT" },
    "node_modules/fine/node_modules/deep": { license: "AGPL-3.0" },
    "node_modules/silent": {},
  });
  expect(refused).toEqual(["node_modules/fine/node_modules/deep: AGPL-3.0", "node_modules/silent: no licence named"]);
});
