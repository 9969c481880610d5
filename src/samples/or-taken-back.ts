/** Several steps as one: if a later one fails, what the earlier ones have done is taken back, the latest first. */
import { isConnectionError } from "../db/database.ts";

/** `work` notes how each of its steps is taken back. */
export async function orTakenBack<Result>(work: (takeBack: AsyncDisposableStack) => Promise<Result>): Promise<Result> {
  await using takeBack = new AsyncDisposableStack();
  try {
    const result = await work(takeBack);
    takeBack.move();
    return result;
  } catch (error) {
    // After a lost connection nobody knows what is in; files that belong to nothing are swept up later.
    if (error instanceof Error && isConnectionError(error)) takeBack.move();
    throw error;
  }
}
