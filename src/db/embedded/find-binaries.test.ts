import { execFileSync, spawnSync } from "node:child_process";
import { chmod, mkdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeTemporaryFolder, removeTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { findBinaries, makeMissingLinks } from "./find-binaries.ts";

describe("PostgreSQL's programs", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await makeTemporaryFolder();
  });

  afterEach(async () => {
    await chmod(folder, 0o755);
    await removeTemporaryFolder(folder);
  });

  it("come with the npm package and run", async () => {
    const { postgres } = await findBinaries();
    expect(execFileSync(postgres, ["--version"], { encoding: "utf8" })).toMatch(/^postgres \(PostgreSQL\) 18\./);
  });

  it.runIf(process.platform === "linux")(
    "get the links that npm left out when install scripts were not run",
    async () => {
      const copy = join(folder, "package");
      const installed = dirname(dirname(dirname((await findBinaries()).postgres)));
      execFileSync("cp", ["-a", installed, copy]);
      execFileSync("find", [copy, "-type", "l", "-delete"]);
      const initdb = join(copy, "native", "bin", "initdb");
      expect(spawnSync(initdb, ["--version"], { encoding: "utf8" }).stderr).toMatch(/shared libraries/);

      await Promise.all([makeMissingLinks(copy, ""), makeMissingLinks(copy, "")]);
      expect(spawnSync(initdb, ["--version"], { encoding: "utf8" }).stdout).toMatch(/PostgreSQL/);
    },
  );

  it.skipIf(process.getuid?.() === 0)(
    "are reported when the links cannot be made (root can always make them)",
    async () => {
      await mkdir(join(folder, "native", "lib"), { recursive: true });
      const links = [{ source: "native/lib/libpq.so.5.18", target: "native/lib/libpq.so.5" }];
      await writeFile(join(folder, "native", "pg-symlinks.json"), JSON.stringify(links));
      await chmod(join(folder, "native", "lib"), 0o555);
      await expect(makeMissingLinks(folder, "Run npm rebuild.")).rejects.toMatchObject({
        code: "EMBEDDED_BINARIES_MISSING",
        message: expect.stringContaining("Run npm rebuild."),
      });
      await chmod(join(folder, "native", "lib"), 0o755);
    },
  );

  it("are made executable", async () => {
    for (const name of ["initdb", "postgres", "pg_ctl"]) await writeFile(join(folder, name), "", { mode: 0o644 });
    const { postgres } = await findBinaries(folder);
    expect((await stat(postgres)).mode & 0o777).toBe(0o755);
  });

  it("are reported when they are missing", async () => {
    await expect(findBinaries(folder)).rejects.toMatchObject({
      code: "EMBEDDED_BINARIES_MISSING",
      // They are looked for side by side: whichever is missed first is named.
      message: expect.stringMatching(/not complete: (initdb|postgres|pg_ctl) in /),
    });
  });
});
