/** What the address of the search means to the server. */
import type { SearchQuery } from "../../../../src/contract/documents.ts";
import type { SearchSearch } from "../../router.tsx";

type Mode = SearchQuery["mode"];

export const modeOptions: readonly { value: Mode; label: string }[] = [
  { value: "hybrid", label: "Words and meaning" },
  { value: "text", label: "Words" },
  { value: "meaning", label: "Meaning" },
];

export function modeOf(mode: string | undefined): Mode {
  return modeOptions.find(({ value }) => value === mode)?.value ?? "hybrid";
}

/** Undefined where nothing is asked. */
export function toSearchQuery({ q, mode }: SearchSearch): Pick<SearchQuery, "q" | "mode"> | undefined {
  const asked = q?.trim().slice(0, 1_000) ?? "";
  return asked === "" ? undefined : { q: asked, mode: modeOf(mode) };
}
