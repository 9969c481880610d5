import fc from "fast-check";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { DocmillError } from "../../errors.ts";
import type { DataFolder } from "./data-folder.ts";
import { chooseSocketFolder, connectionUrl, listenSettings } from "./server-address.ts";

describe("the connection url", () => {
  it("brings any socket folder to the driver unchanged, and is a url to others too", () => {
    const anyFolder = fc
      .string({ unit: "grapheme", minLength: 1 })
      .map((name) => `/data/${name.replaceAll("\0", "")}/socket`);
    fc.assert(
      fc.property(anyFolder, (folder) => {
        const url = connectionUrl({ kind: "socket", folder }, "secret-_1");
        const { host, port, user, database } = new pg.Client({ connectionString: url });
        expect({ host, port, user, database }).toEqual({
          host: folder,
          port: 5432,
          user: "docmill",
          database: "docmill",
        });
        expect(new URL(url).searchParams.get("host")).toBe(folder);
      }),
    );
  });

  it("leaves nothing for the environment to decide", () => {
    for (const address of [{ kind: "socket", folder: "/run/x" } as const, { kind: "tcp", port: 40123 } as const]) {
      const client = new pg.Client({ connectionString: connectionUrl(address, "pw") });
      expect(client).toMatchObject({ port: address.kind === "tcp" ? 40123 : 5432, password: "pw", ssl: false });
    }
  });
});

describe("the socket folder", () => {
  const folder = (path: string) => ({ path, socketFolder: `${path}/postgres/socket` }) as DataFolder;

  it("is in the data folder while the socket's path fits in 107 bytes", () => {
    const fitting = `/${"d".repeat(107 - "/postgres/socket/.s.PGSQL.5432".length - 1)}`;
    expect(chooseSocketFolder(folder(fitting), "/tmp")).toBe(`${fitting}/postgres/socket`);
    expect(chooseSocketFolder(folder(`${fitting}d`), "/tmp")).toMatch(/^\/tmp\/docmill-[0-9a-f]{16}$/);
    // Counted in bytes, as the kernel does.
    expect(chooseSocketFolder(folder(`/${"ä".repeat(60)}`), "/tmp")).toMatch(/^\/tmp\//);
  });

  it("is the same for the same data folder and another for another", () => {
    const [one, other] = ["a", "b"].map((letter) => folder(`/${letter.repeat(100)}`)) as [DataFolder, DataFolder];
    expect(chooseSocketFolder(one, "/tmp")).toBe(chooseSocketFolder(one, "/tmp"));
    expect(chooseSocketFolder(one, "/tmp")).not.toBe(chooseSocketFolder(other, "/tmp"));
  });

  it("cannot be had when the temporary folder's path is too long as well", () => {
    const choose = () => chooseSocketFolder(folder(`/${"d".repeat(100)}`), `/${"t".repeat(100)}`);
    expect(choose).toThrow(DocmillError);
    expect(choose).toThrow(expect.objectContaining({ code: "SOCKET_PATH_TOO_LONG" }));
  });
});

describe("the settings for an address", () => {
  it("quote the socket folder, since PostgreSQL takes a list there", () => {
    const settings = listenSettings({ kind: "socket", folder: '/odd, "one"' });
    expect(settings).toMatchObject({ listen_addresses: "", unix_socket_directories: '"/odd, ""one"""' });
  });

  it("open a port on loopback only", () => {
    expect(listenSettings({ kind: "tcp", port: 40123 })).toEqual({
      listen_addresses: "127.0.0.1",
      port: "40123",
      unix_socket_directories: "",
    });
  });
});
