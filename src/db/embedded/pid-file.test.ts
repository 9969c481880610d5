import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeTemporaryFolder, removeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { disownPidFile, readPidFile } from "./pid-file.ts";

const onSocket =
  "4242\n/data/postgres/cluster\n1794850824\n5432\n/data/postgres/socket\n\n  2147886        17\nready   \n";
const onPort = "4242\n/data/postgres/cluster\n1794850824\n40123\n\n127.0.0.1\n  2147886        17\nstarting\n";

describe("postmaster.pid", () => {
  let cluster: string;
  const path = () => join(cluster, "postmaster.pid");

  beforeEach(async () => {
    cluster = await makeTemporaryFolder();
  });

  afterEach(() => removeTemporaryFolder(cluster));

  it("says who serves, where, and whether it is ready", async () => {
    await writeFile(path(), onSocket);
    const address = { kind: "socket", folder: "/data/postgres/socket" };
    expect(await readPidFile(cluster)).toEqual({ pid: 4242, address, status: "ready" });
    await writeFile(path(), onPort);
    expect(await readPidFile(cluster)).toEqual({
      pid: 4242,
      address: { kind: "tcp", port: 40123 },
      status: "starting",
    });
  });

  it("may be missing, empty, or written half", async () => {
    expect(await readPidFile(cluster)).toBeUndefined();
    await writeFile(path(), "");
    expect(await readPidFile(cluster)).toMatchObject({ pid: 0, address: undefined, status: undefined });
    await writeFile(path(), "4242\n/data/postgres/cluster\n");
    expect(await readPidFile(cluster)).toMatchObject({ pid: 4242, address: undefined, status: undefined });
  });

  it("keeps the rest when it is disowned, for PostgreSQL to find processes of the old server", async () => {
    await writeFile(path(), onSocket);
    await disownPidFile(cluster);
    expect(await readFile(path(), "utf8")).toBe(onSocket.replace("4242", String(process.pid)));
  });

  it("is removed when there is nothing in it to keep", async () => {
    await writeFile(path(), "");
    await disownPidFile(cluster);
    expect(await readPidFile(cluster)).toBeUndefined();
  });
});
