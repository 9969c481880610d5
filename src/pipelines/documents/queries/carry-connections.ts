/**
 * Connections that people have judged outlive a reprocess where their text does: one whose passage has the same words at
 * another place moves there. What could not be kept is answered, so that nobody loses work without being told.
 */
import type { CarriedConnections } from "../../../contract/documents.ts";
import { derivedId, sql, type Transaction } from "../../../jobs/index.ts";

interface JudgedConnection {
  id: string;
  type: string;
  /** The end that lies in this document, and the other one. */
  side: "source" | "target";
  chunkId: string;
  contentHash: string;
  index: number;
  otherChunkId: string;
  sourceText: string;
  targetText: string;
  targetDocumentId: string;
  userValidated: boolean | null;
  userStarred: boolean;
}

interface NewChunk {
  id: string;
  index: number;
  contentHash: string;
}

const excerpt = 200;

export async function carryConnections(
  tx: Transaction,
  documentId: string,
  chunks: readonly NewChunk[],
): Promise<CarriedConnections> {
  const judged = await readJudged(tx, documentId);
  const present = new Set(chunks.map(({ id }) => id));
  const homeless = judged.filter(({ chunkId }) => !present.has(chunkId));
  const lost: CarriedConnections["lost"] = [];
  for (const connection of homeless) {
    const home = nearestWithSameText(chunks, connection);
    if (home) await move(tx, connection, home.id);
    else lost.push(describe(connection));
  }
  return { kept: judged.length - homeless.length, moved: homeless.length - lost.length, lost };
}

function readJudged(tx: Transaction, documentId: string): Promise<JudgedConnection[]> {
  const end = (side: "source" | "target") => sql`
    select k.id, k.type, ${side} as side, c.id as chunk_id, c.content_hash, c.index,
      ${side === "source" ? sql`k.target_chunk_id` : sql`k.source_chunk_id`} as other_chunk_id,
      left(s.content, ${excerpt}) as source_text, left(t.content, ${excerpt}) as target_text, k.target_document_id,
      k.user_validated, k.user_starred
    from connections k join chunks s on s.id = k.source_chunk_id join chunks t on t.id = k.target_chunk_id
    join chunks c on c.id = ${side === "source" ? sql`k.source_chunk_id` : sql`k.target_chunk_id`}
    where ${side === "source" ? sql`k.source_document_id` : sql`k.target_document_id`} = ${documentId}
      and (k.user_validated is not null or k.user_starred)`;
  return tx.query<JudgedConnection>(sql`${end("source")} union all ${end("target")}`);
}

/** The same words may stand more than once: the nearest place is the likeliest. */
function nearestWithSameText(
  chunks: readonly NewChunk[],
  { contentHash, index }: JudgedConnection,
): NewChunk | undefined {
  return chunks
    .filter((chunk) => chunk.contentHash === contentHash)
    .sort((a, b) => Math.abs(a.index - index) - Math.abs(b.index - index))[0];
}

/**
 * Where another connection already joins the two, the judgement goes to it, and the old row goes with its passage. One at a
 * time, because several may move to the same place.
 */
async function move(
  tx: Transaction,
  { id, type, side, otherChunkId }: JudgedConnection,
  chunkId: string,
): Promise<void> {
  const [source, target] = side === "source" ? [chunkId, otherChunkId] : [otherChunkId, chunkId];
  const merged = await tx.query(sql`
    update connections there set user_validated = coalesce(there.user_validated, k.user_validated),
      user_starred = there.user_starred or k.user_starred
    from connections k
    where k.id = ${id} and there.id <> k.id and there.type = k.type
      and least(there.source_chunk_id, there.target_chunk_id) = least(${source}::uuid, ${target}::uuid)
      and greatest(there.source_chunk_id, there.target_chunk_id) = greatest(${source}::uuid, ${target}::uuid)
    returning there.id`);
  if (merged.length > 0) return;
  // With the id of its new place: a passage that comes back to the old one is connected under the old id again.
  await tx.query(sql`
    update connections set id = ${derivedId(source, target, type)}, source_chunk_id = ${source}, target_chunk_id = ${target}
    where id = ${id}`);
}

function describe(connection: JudgedConnection): CarriedConnections["lost"][number] {
  const { type, sourceText, targetText, targetDocumentId, userValidated, userStarred } = connection;
  return { type, sourceText, targetText, targetDocumentId, userValidated, userStarred };
}
