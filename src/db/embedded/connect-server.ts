/** Short connections to the embedded server: to see that it answers, and to make its database on the first start. */
import { DocmillError } from "../../errors.ts";
import { sqlState } from "../database.ts";
import { withClient } from "../with-client.ts";
import type { DataFolder } from "./data-folder.ts";
import { connectionUrl, databaseName, type ServerAddress } from "./server-address.ts";

const applicationName = "docmill start";
const noSuchDatabase = "3D000";
const databaseExists = "42P04";
const wrongPassword = "28P01";

export interface ServerFacts {
  version: string;
  cluster: string;
}

/** Connects to Docmill's database, makes it if it is not there, and asks the server who it is. */
export async function greetServer(address: ServerAddress, password: string, folder: DataFolder): Promise<ServerFacts> {
  try {
    return await askServer(address, password, databaseName);
  } catch (error) {
    if (sqlState(error) === wrongPassword) {
      throw new DocmillError(
        "EMBEDDED_PASSWORD_WRONG",
        `The database does not accept the password in ${folder.passwordFile}. Restore that file from the backup the folder came from.`,
        { cause: error },
      );
    }
    if (sqlState(error) !== noSuchDatabase) throw error;
  }
  await withClient(connectionUrl(address, password, "postgres"), applicationName, async (client) => {
    await client.query(`create database ${databaseName}`).catch((error: unknown) => {
      if (sqlState(error) !== databaseExists) throw error;
    });
  });
  return askServer(address, password, databaseName);
}

function askServer(address: ServerAddress, password: string, database: string): Promise<ServerFacts> {
  return withClient(connectionUrl(address, password, database), applicationName, async (client) => {
    const { rows } = await client.query<ServerFacts>(
      "select current_setting('server_version') as version, current_setting('data_directory') as cluster",
    );
    const facts = rows[0] as ServerFacts;
    // Distributions add their own words: 15.13 (Debian 15.13-0+deb12u1).
    return { ...facts, version: facts.version.split(" ")[0] as string };
  });
}
