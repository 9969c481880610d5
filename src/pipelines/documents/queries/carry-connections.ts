/**
 * Connections that people have judged outlive a reprocess where their text does: one whose passage has the same words at
 * another place moves there. What could not be kept is answered, so that nobody loses work without being told.
 */
import type { CarriedConnections } from "../../../contract/documents.ts";
import { rowsOf, sql, type Transaction } from "../../../jobs/index.ts";

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
  const moves: { id: string; side: string; chunk_id: string }[] = [];
  const lost: CarriedConnections["lost"] = [];
  for (const connection of homeless) {
    const home = nearestWithSameText(chunks, connection);
    if (home) moves.push({ id: connection.id, side: connection.side, chunk_id: home.id });
    else lost.push(describe(connection));
  }
  const moved = await move(tx, moves);
  const unmoved = new Set(moves.map(({ id }) => id).filter((id) => !moved.has(id)));
  lost.push(...homeless.filter(({ id }) => unmoved.has(id)).map(describe));
  return { kept: judged.length - homeless.length, moved: moved.size, lost };
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

/** Where an unjudged connection already joins the two, the judgement goes to it; the old row goes with its passage. */
async function move(
  tx: Transaction,
  moves: readonly { id: string; side: string; chunk_id: string }[],
): Promise<Set<string>> {
  if (moves.length === 0) return new Set();
  const wanted = sql`(${rowsOf({ id: "uuid", side: "text", chunk_id: "uuid" }, moves)}) m`;
  const ends = sql`
    case m.side when 'source' then m.chunk_id else k.source_chunk_id end as source_chunk_id,
    case m.side when 'target' then m.chunk_id else k.target_chunk_id end as target_chunk_id`;
  const merged = await tx.query<{ id: string }>(sql`
    with wanted as (
      select k.id, k.type, k.user_validated, k.user_starred, ${ends}
      from ${wanted} join connections k on k.id = m.id)
    update connections there set user_validated = coalesce(there.user_validated, w.user_validated),
      user_starred = there.user_starred or w.user_starred
    from wanted w
    where there.id <> w.id and there.type = w.type
      and least(there.source_chunk_id, there.target_chunk_id) = least(w.source_chunk_id, w.target_chunk_id)
      and greatest(there.source_chunk_id, there.target_chunk_id) = greatest(w.source_chunk_id, w.target_chunk_id)
    returning w.id`);
  const done = new Set(merged.map(({ id }) => id));
  const rest = moves.filter(({ id }) => !done.has(id));
  // One at a time: two that move to the same place would stand in each other's way.
  for (const { id, side, chunk_id: chunkId } of rest) {
    const column = side === "source" ? sql`source_chunk_id` : sql`target_chunk_id`;
    const moved = await tx.query(sql`
      update connections k set ${column} = ${chunkId}
      where id = ${id} and not exists (
        select from connections other where other.id <> k.id and other.type = k.type
          and ${side === "source" ? sql`other.target_chunk_id = k.target_chunk_id` : sql`other.source_chunk_id = k.source_chunk_id`}
          and other.${column} = ${chunkId})
      returning id`);
    if (moved.length > 0) done.add(id);
  }
  return done;
}

function describe(connection: JudgedConnection): CarriedConnections["lost"][number] {
  const { type, sourceText, targetText, targetDocumentId, userValidated, userStarred } = connection;
  return { type, sourceText, targetText, targetDocumentId, userValidated, userStarred };
}
