/** What a fixture's pipelines get from the process they run in. */
import type { Database } from "../../src/db/database.ts";
import type { Message } from "./fault-worker.ts";

export interface Surroundings {
  db: Database;
  /** Tells the test what happened. */
  tell(message: Message): void;
  /** Resolves when the test says something of this type. */
  onceSaid(type: string): Promise<Message>;
}
