/** A connection of one's own for a short while: outside the pool, and closed whatever happens. */
import pg from "pg";

const connectTimeoutMs = 10_000;

export async function withClient<T>(
  url: string,
  applicationName: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
  });
  // A connection that breaks rejects the query under way; without a listener it would end the process as well.
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
