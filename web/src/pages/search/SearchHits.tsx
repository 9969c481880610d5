/** Passages that were found, best first. Each leads to its page, with the passage marked. */
import { Group, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { SearchHit } from "../../../../src/contract/documents.ts";
import { describePlace } from "../documents/passages/describe-place.ts";
import classes from "./SearchPage.module.css";
import { Snippet } from "./Snippet.tsx";

export function SearchHits({ hits, q }: { hits: readonly SearchHit[]; q: string }) {
  return (
    <ol className={classes.hits}>
      {hits.map((hit) => (
        <li key={hit.chunkId}>
          <Hit hit={hit} q={q} />
        </li>
      ))}
    </ol>
  );
}

function Hit({ hit, q }: { hit: SearchHit; q: string }) {
  const { document, snippet, page, pageTo, headingPath, start, end, matched } = hit;
  return (
    <Link
      to="/documents/$documentId"
      params={{ documentId: document.id }}
      search={{ tab: "text", page: page ?? undefined, start, end, q }}
      className={classes.hit}
    >
      <Text fw={500} className={classes.title} truncate>
        {document.title ?? document.filename}
      </Text>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="xs" c="dimmed" truncate>
          {describePlace({ headingPath, page, pageTo })}
        </Text>
        <Text size="xs" c="dimmed" className={classes.why}>
          {whyOf(matched)}
        </Text>
      </Group>
      <Text size="sm" mt={4} lineClamp={8} className={classes.snippet}>
        <Snippet snippet={snippet} />
      </Text>
    </Link>
  );
}

function whyOf(matched: SearchHit["matched"]): string {
  if (matched.includes("text") && matched.includes("meaning")) return "by words and meaning";
  return matched.includes("text") ? "by words" : "by meaning";
}
