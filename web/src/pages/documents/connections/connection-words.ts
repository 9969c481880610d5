/** Connections in words. */
import type { Connection } from "../../../../../src/contract/documents.ts";

export const typeLabels: Record<Connection["type"], string> = {
  semantic_similarity: "Similar",
  contradiction_detection: "Contradicts",
  thematic_bridge: "Shared theme",
};

/** The end that is in this document, and the one that is not. */
export function endsOf({ source, target }: Connection, documentId: string) {
  return source.documentId === documentId ? { own: source, other: target } : { own: target, other: source };
}

/** What the server found it by, where that says more than the kind does. */
export function explain({ type, details }: Connection): string | null {
  if (type === "thematic_bridge") return join([details.theme, details.explanation], ": ");
  if (type === "contradiction_detection") {
    const sentences = join([quote(details.sourceSentence), quote(details.targetSentence)], " against ");
    return sentences === null ? null : `${sentences}.`;
  }
  return null;
}

function quote(sentence: unknown): string | null {
  return typeof sentence === "string" && sentence !== "" ? `“${sentence.trim()}”` : null;
}

function join(parts: readonly unknown[], between: string): string | null {
  const texts = parts.filter((part): part is string => typeof part === "string" && part !== "");
  return texts.length === 0 ? null : texts.join(between);
}

/** Those of a list by the other document, in the order in which each first comes. */
export function groupByDocument(connections: readonly Connection[], documentId: string) {
  const groups = new Map<string, { documentId: string; title: string; connections: Connection[] }>();
  for (const connection of connections) {
    const { other } = endsOf(connection, documentId);
    const group = groups.get(other.documentId);
    if (group) group.connections.push(connection);
    else {
      groups.set(other.documentId, {
        documentId: other.documentId,
        title: other.documentTitle,
        connections: [connection],
      });
    }
  }
  return [...groups.values()];
}
