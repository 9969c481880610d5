/**
 * COPY as streams: what a table holds goes out, or comes in, without ever being in memory as a whole. The driver knows
 * the messages of the protocol but has no streams for them.
 */
import { once } from "node:events";
import { Readable } from "node:stream";
import type pg from "pg";

/** The driver's, which its types leave out. */
interface CopyConnection extends pg.Connection {
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
}

/** A row is a message. Handed on one by one they would cost more than what they hold. */
const portionBytes = 64 * 1024;

/** The bytes of `copy … to stdout`. The connection is free for the next statement once the stream has ended. */
export function copyOut(client: pg.Client, statement: string): Readable {
  let connection: pg.Connection | undefined;
  let gathered: Buffer[] = [];
  let bytes = 0;
  let over = false;
  const readable = new Readable({
    highWaterMark: 4 * portionBytes,
    read: () => void connection?.stream.resume(),
    destroy(error, done) {
      // Whoever stops reading in the middle has no more use for the connection: the rest of the table would come first.
      if (!over) connection?.stream.destroy();
      done(error);
    },
  });
  const handOn = () => {
    const portion = Buffer.concat(gathered);
    gathered = [];
    bytes = 0;
    return readable.push(portion);
  };
  /** Nobody will ask for more, so nobody else would let the connection go on. */
  const end = () => {
    over = true;
    connection?.stream.resume();
  };
  client.query({
    submit(opened: pg.Connection) {
      connection = opened;
      opened.query(statement);
    },
    handleCopyData({ chunk }: { chunk: Buffer }) {
      // The driver uses its buffer again.
      gathered.push(Buffer.from(chunk));
      bytes += chunk.length;
      if (bytes >= portionBytes && !handOn()) connection?.stream.pause();
    },
    handleCommandComplete() {
      if (bytes > 0) handOn();
    },
    handleReadyForQuery() {
      end();
      readable.push(null);
    },
    handleError(error: Error) {
      end();
      readable.destroy(error);
    },
  });
  return readable;
}

/** Sends what the source yields to `copy … from stdin`. A source that fails undoes the statement, and its error is thrown. */
export async function copyIn(client: pg.Client, statement: string, source: AsyncIterable<Uint8Array>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let failure: { error: unknown } | undefined;
  let over = false;
  promise
    .catch(() => undefined)
    .finally(() => {
      over = true;
    });

  const send = async (connection: CopyConnection) => {
    try {
      for await (const chunk of source) {
        if (over) return;
        connection.sendCopyFromChunk(chunk);
        if (connection.stream.writableNeedDrain) await Promise.race([once(connection.stream, "drain"), promise]);
      }
      connection.endCopyFrom();
    } catch (error) {
      failure = { error };
      connection.sendCopyFail("the source failed");
    }
  };

  client.query({
    submit: (connection: pg.Connection) => connection.query(statement),
    handleCopyInResponse: (connection: CopyConnection) => void send(connection),
    handleCommandComplete: () => undefined,
    handleReadyForQuery: () => resolve(),
    handleError: (error: Error) => reject(failure?.error ?? error),
  });
  await promise;
}
