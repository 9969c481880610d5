/**
 * Second stage of connecting, where a model is configured: passages that are not alike in words and yet share a theme. The
 * model is shown a passage with candidates from other documents and names those that a reader would want side by side.
 */
import { z } from "zod";
import { type Database, type ItemContext, type StageContext, sql } from "../../../jobs/index.ts";
import type { ChatModel } from "../../../providers/models/chat-model.ts";
import { readVector } from "../../../vectors/vector-bytes.ts";
import type { DocumentServices } from "../document-services.ts";
import { saveConnections } from "./save-connections.ts";

type BridgeServices = Pick<DocumentServices, "db" | "embedder" | "vectors" | "model" | "limits">;

/** Nearer ones are connected by similarity already, farther ones have nothing in common. */
const candidateStrength = { from: 0.35, to: 0.7 };
const candidatesPerChunk = 6;
const consideredPerChunk = 40;
const shownCharacters = 1_200;

const Bridges = z.object({
  bridges: z
    .array(
      z.object({
        candidate: z.int().describe("The number of the candidate passage."),
        strength: z.number().min(0).max(1).describe("How much a reader gains from seeing both: 0 to 1."),
        theme: z.string().describe("The theme they share, in a few words."),
        explanation: z.string().describe("One sentence on how each treats it."),
      }),
    )
    .describe("Only candidates that share a theme with the passage; often there are none."),
});

const instructions =
  "You connect passages from different documents. You are given one passage and numbered candidates. Name the candidates " +
  "that treat the same underlying theme in another setting, so that a reader would want to see them side by side. Shared " +
  "words alone are no theme. Use only what the texts say.";

interface BridgeChunk {
  id: string;
  content: string;
  /** In base64. */
  vector: string;
}

export function bridgeThemes({ db, embedder, vectors, model, limits }: BridgeServices) {
  return async ({ input: { documentId }, items }: StageContext<{ documentId: string }, object>) => {
    if (!model) return { bridges: 0 };
    const chunks = await chooseChunks(db, embedder.model, documentId, limits.bridgeCalls);
    const results = await items(chunks, { key: ({ id }) => id }, async (chunk, item) => {
      const vector = readVector(chunk.vector);
      const query = { model: embedder.model, limit: consideredPerChunk, exceptDocumentId: documentId };
      const near = await vectors.findNearest(vector, query, item.signal);
      const candidates = near
        .filter(({ cosine }) => {
          const strength = embedder.strengthOf(cosine);
          return strength >= candidateStrength.from && strength < candidateStrength.to;
        })
        .slice(0, candidatesPerChunk);
      const texts = await readTexts(
        db,
        candidates.map(({ chunkId }) => chunkId),
      );
      const found = texts.length === 0 ? [] : await askModel(model, chunk, texts, item);
      return item.commit(async (tx) => ({
        bridges: await saveConnections(tx, [chunk.id], ["thematic_bridge"], found),
      }));
    });
    const counts = [...results.outputs.values()] as { bridges: number }[];
    return { bridges: counts.reduce((sum, { bridges }) => sum + bridges, 0) };
  };
}

async function askModel(model: ChatModel, chunk: BridgeChunk, candidates: readonly Passage[], item: ItemContext) {
  const shown = [
    `Passage:\n${chunk.content.slice(0, shownCharacters)}`,
    ...candidates.map(({ content }, index) => `Candidate ${index + 1}:\n${content.slice(0, shownCharacters)}`),
  ].join("\n\n---\n\n");
  const { bridges } = await model.complete(
    {
      schema: Bridges,
      name: "thematic_bridges",
      instructions,
      input: [{ type: "text", text: shown }],
      promptVersion: 1,
    },
    item,
  );
  const byCandidate = new Map(bridges.map((bridge) => [bridge.candidate, bridge]));
  return candidates.flatMap(({ id }, index) => {
    const bridge = byCandidate.get(index + 1);
    if (!bridge) return [];
    const { strength, theme, explanation } = bridge;
    return [
      { sourceId: chunk.id, targetId: id, type: "thematic_bridge" as const, strength, details: { theme, explanation } },
    ];
  });
}

/** Spread over the document, the longest of each stretch: they say the most. */
function chooseChunks(db: Database, model: string, documentId: string, count: number): Promise<BridgeChunk[]> {
  return db.query<BridgeChunk>(sql`
    select distinct on (stretch) id, content, encode(vector, 'base64') as vector from (
      select c.id, c.content, c.tokens, v.vector, ntile(${count}) over (order by c.index) as stretch
      from chunks c join chunk_vectors v on v.chunk_id = c.id join embedding_models m on m.id = v.model_id
      where c.document_id = ${documentId} and m.name = ${model}) c
    order by stretch, tokens desc, id`);
}

interface Passage {
  id: string;
  content: string;
}

async function readTexts(db: Database, ids: readonly string[]): Promise<Passage[]> {
  const rows = await db.query<Passage>(sql`select id, content from chunks where id = any (${ids}::uuid[])`);
  return rows.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}
