/**
 * Whether two passages say opposite things about the same: a sentence of one and a sentence of the other that share most
 * of their words, where one is negated and the other is not, or where a word stands against its opposite.
 */
import { oppositesOf } from "./opposites.ts";
import { readStatements, type Statement } from "./read-statements.ts";

export interface Contradiction {
  sourceSentence: string;
  targetSentence: string;
  /** What both speak of. */
  concepts: string[];
  /** `negation`, or the two words that oppose each other. */
  opposition: string;
  /** 0 to 1: how much of what they say is the same. */
  confidence: number;
}

/** Sentences that share less speak of different things. */
const leastShared = 3;
const leastOverlap = 0.5;

export function findContradiction(source: string, target: string): Contradiction | undefined {
  return contradictionOf(readStatements(source), readStatements(target));
}

export interface TextPair {
  source: string;
  target: string;
}

/** The same for many pairs of passages, named by id, each of which is read once. */
export function findContradictions(
  texts: ReadonlyMap<string, string>,
  pairs: readonly TextPair[],
): (Contradiction | undefined)[] {
  const read = new Map<string, Statement[]>();
  const statementsOf = (id: string) => {
    const statements = read.get(id) ?? readStatements(texts.get(id) ?? "");
    read.set(id, statements);
    return statements;
  };
  return pairs.map(({ source, target }) => contradictionOf(statementsOf(source), statementsOf(target)));
}

function contradictionOf(sources: readonly Statement[], targets: readonly Statement[]): Contradiction | undefined {
  let best: Contradiction | undefined;
  for (const one of sources) {
    for (const other of targets) {
      const found = opposes(one, other);
      if (found && found.confidence > (best?.confidence ?? 0)) best = found;
    }
  }
  return best;
}

function opposes(one: Statement, other: Statement): Contradiction | undefined {
  const opposed = findOpposedWords(one, other);
  const shared = [...one.words].filter((word) => other.words.has(word));
  if (shared.length < leastShared) return undefined;
  // The opposed words take the place of each other: they are no difference in what is spoken of.
  const size = Math.min(one.words.size, other.words.size) - (opposed ? 1 : 0);
  const overlap = shared.length / Math.max(1, size);
  if (overlap < leastOverlap) return undefined;
  // Both at once cancel out: "does not rise" agrees with "falls".
  const negation = one.negated !== other.negated;
  if (negation === (opposed !== undefined)) return undefined;
  return {
    sourceSentence: one.sentence,
    targetSentence: other.sentence,
    concepts: shared.sort(),
    opposition: opposed ?? "negation",
    confidence: Math.min(1, overlap),
  };
}

function findOpposedWords(one: Statement, other: Statement): string | undefined {
  for (const word of one.words) {
    if (other.words.has(word)) continue;
    for (const opposite of oppositesOf.get(word) ?? []) {
      if (other.words.has(opposite) && !one.words.has(opposite)) return `${word} / ${opposite}`;
    }
  }
  return undefined;
}
