/**
 * PostgreSQL over TLS, as managed ones want it: with a certificate of an authority of one's own, without checking it, and
 * what a person is told when it is not trusted. Skipped where no PostgreSQL with TLS is installed.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openDatabase } from "../../src/db/database.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../src/db/embedded/start-embedded-postgres.ts";
import { sql } from "../../src/db/sql.ts";
import { runDocmill, startServe } from "../support/docmill-process.ts";
import { endProcess } from "../support/document-place.ts";
import { makeCertificate } from "../support/self-signed-certificate.ts";
import { silentLogger } from "../support/silent-logger.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "../support/temporary-folder.ts";

const system = inject("postgresServers")["15"];

describe.skipIf(!system)("a database that speaks TLS only", () => {
  let folder: string;
  let postgres: EmbeddedPostgres;
  let authority: string;
  const { key, cert } = makeCertificate();

  /** By name, as the certificate has it, and with what a url may say about TLS. */
  const urlWith = (parameters: Record<string, string>) => {
    const url = new URL(postgres.url);
    url.hostname = "localhost";
    url.search = new URLSearchParams(parameters).toString();
    return url.href;
  };

  beforeAll(async () => {
    folder = await makeTemporaryFolder();
    const [keyFile, certFile] = [join(folder, "server.key"), join(folder, "server.crt")];
    authority = certFile;
    await writeFile(keyFile, key, { mode: 0o600 });
    await writeFile(certFile, cert);
    postgres = await startEmbeddedPostgres({
      dataDir: join(folder, "data"),
      logger: silentLogger,
      binDir: `/usr/lib/postgresql/${system?.version.split(".")[0]}/bin`,
      listen: "tcp",
      durable: false,
      settings: { ssl: "on", ssl_cert_file: certFile, ssl_key_file: keyFile },
    });
  });
  afterAll(async () => {
    await postgres?.stop();
    await removeTemporaryFolder(folder);
  });

  it.each([
    { how: "checked against its authority", parameters: () => ({ sslmode: "verify-full", sslrootcert: authority }) },
    { how: "encrypted and not checked", parameters: () => ({ sslmode: "no-verify" }) },
  ])("is used, $how, for statements and for notifications", async ({ parameters }) => {
    const env = { DATABASE_URL: urlWith(parameters()) };
    const { server, url } = await startServe(["--port", "0"], { env });
    try {
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
      const db = openDatabase({ url: postgres.url, logger: silentLogger, applicationName: "onlooker" });
      const rows = await db.query(sql`
        select distinct a.application_name, s.ssl from pg_stat_activity a join pg_stat_ssl s using (pid)
        where a.application_name in ('docmill', 'docmill hints') order by 1`);
      await db.close();
      expect(rows).toEqual([
        { applicationName: "docmill", ssl: true },
        { applicationName: "docmill hints", ssl: true },
      ]);
    } finally {
      await endProcess(server);
    }
  });

  it("is refused when its certificate is not trusted, with the way out", async () => {
    const env = { DATABASE_URL: urlWith({ sslmode: "require" }) };
    expect(await runDocmill(["migrate"], { env })).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/self.signed certificate.*sslrootcert=.*sslmode=no-verify.*\(DATABASE_UNTRUSTED\)/),
    });
  });
});
