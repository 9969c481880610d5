/**
 * Text to the model's tokens: SentencePiece's unigram model, the pieces with the highest sum of scores (Viterbi). Spaces
 * are part of the pieces, written ▁. A stretch of characters that no piece has becomes one unknown token.
 */

/** A piece and the logarithm of its probability; the place in the list is its token. */
export type Vocabulary = readonly (readonly [piece: string, score: number])[];

export type Tokenizer = (text: string) => Int32Array;

const unknown = 0;
/** The first six stand for things that are not text. */
const firstPiece = 6;
const space = "▁";
/** Far worse than any piece, so that a known way through is always taken. */
const unknownScore = -1_000;
const codeUnits = 2 ** 16;

interface Trie {
  /** Where a code unit leads from a node, keyed by both. */
  children: Map<number, number>;
  /** Which piece ends at a node, or -1. */
  tokens: number[];
}

export function createTokenizer(vocabulary: Vocabulary): Tokenizer {
  const trie = buildTrie(vocabulary);
  const scores = Float64Array.from(vocabulary, ([, score]) => score);
  return (text) => {
    const spelled = spell(text);
    return readBack(spelled, findBestPieces(spelled, trie, scores));
  };
}

/** Line breaks and tabs are spaces to a reader; characters without a shape, such as soft hyphens, are nothing. */
function spell(text: string): string {
  const plain = text
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .replace(/\s*[^\S ]\s*/g, " ");
  return plain.length === 0 ? "" : space + plain.replaceAll(" ", space);
}

interface BestPieces {
  /** The token that ends at each place on the best way there, and where it starts. */
  tokens: Int32Array;
  starts: Int32Array;
}

function findBestPieces(text: string, { children, tokens: pieceTokens }: Trie, scores: Float64Array): BestPieces {
  const best = new Float64Array(text.length + 1).fill(Number.NEGATIVE_INFINITY);
  const tokens = new Int32Array(text.length + 1);
  const starts = new Int32Array(text.length + 1);
  best[0] = 0;
  const reach = (start: number, end: number, token: number, score: number) => {
    const total = (best[start] as number) + score;
    // Of equals the shorter piece, as the model was trained with.
    if (total < (best[end] as number)) return;
    best[end] = total;
    tokens[end] = token;
    starts[end] = start;
  };
  for (let start = 0; start < text.length; start++) {
    reach(start, start + 1, unknown, unknownScore);
    let node = 0;
    for (let end = start; end < text.length; end++) {
      const next = children.get(node * codeUnits + text.charCodeAt(end));
      if (next === undefined) break;
      node = next;
      const token = pieceTokens[node] as number;
      if (token >= 0) reach(start, end + 1, token, scores[token] as number);
    }
  }
  return { tokens, starts };
}

function readBack(text: string, { tokens, starts }: BestPieces): Int32Array {
  const found: number[] = [];
  for (let end = text.length; end > 0; end = starts[end] as number) {
    const token = tokens[end] as number;
    if (token !== unknown || found.at(-1) !== unknown) found.push(token);
  }
  return Int32Array.from(found.reverse());
}

function buildTrie(vocabulary: Vocabulary): Trie {
  const children = new Map<number, number>();
  const tokens = [-1];
  vocabulary.forEach(([piece], token) => {
    if (token < firstPiece) return;
    let node = 0;
    for (let place = 0; place < piece.length; place++) {
      const key = node * codeUnits + piece.charCodeAt(place);
      let next = children.get(key);
      if (next === undefined) {
        next = tokens.push(-1) - 1;
        children.set(key, next);
      }
      node = next;
    }
    tokens[node] = token;
  });
  return { children, tokens };
}
