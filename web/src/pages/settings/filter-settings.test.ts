/** Settings are found by words of their name, value or meaning. */
import { expect, test } from "vitest";
import { filterSettings, type Setting } from "./filter-settings.ts";

const settings: Setting[] = [
  { env: "PORT", value: "3001", origin: "flag", meaning: "Port of the HTTP server." },
  { env: "DOCMILL_MAX_PAGES", value: "10000", origin: "default", meaning: "Most pages a document may have." },
  { env: "DOCMILL_AZURE_DI_KEY", value: null, origin: "default", meaning: "Key of that resource." },
];
const namesOf = (...[group, search]: [Parameters<typeof filterSettings>[1], string]) =>
  filterSettings(settings, group, search).map(({ env }) => env);

test("every word has to stand somewhere, in any case", () => {
  expect(namesOf("all", "")).toHaveLength(3);
  expect(namesOf("all", "  AZURE key ")).toEqual(["DOCMILL_AZURE_DI_KEY"]);
  expect(namesOf("all", "3001")).toEqual(["PORT"]);
  expect(namesOf("all", "pages azure")).toEqual([]);
});

test("groups are what was given, and what limits the work", () => {
  expect(namesOf("given", "")).toEqual(["PORT"]);
  expect(namesOf("limits", "")).toEqual(["DOCMILL_MAX_PAGES"]);
  expect(namesOf("limits", "port")).toEqual([]);
});
