/** A sentence of the server in which what one types stands out: names of settings, and what is between backticks. */
import { Code } from "@mantine/core";

const typed = /(`[^`]+`|\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b|(?<=^|[\s(])--[a-z-]+)/;

export function CodeWords({ children }: { children: string }) {
  return children.split(typed).map((part, place) =>
    // What is split by stands at every odd place.
    place % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never move.
      <Code key={place}>{part.replaceAll("`", "")}</Code>
    ) : (
      part
    ),
  );
}
