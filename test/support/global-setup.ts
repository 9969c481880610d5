/** Starts the database servers once for a whole test run and stops them after it. */
import type { TestProject } from "vitest/node";
import { startTestServers, type TestServers } from "./postgres-servers.ts";
import { removeLeftovers } from "./temporary-folder.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgresServers: TestServers;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeLeftovers();
  const { servers, stop } = await startTestServers();
  project.provide("postgresServers", servers);
  return stop;
}
