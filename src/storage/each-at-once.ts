/** Does something to every item, several at a time; the first failure ends it and is thrown. */
export async function eachAtOnce<Item>(
  items: Iterable<Item>,
  atOnce: number,
  act: (item: Item) => Promise<unknown>,
): Promise<void> {
  // One iterator shared by all: each takes the next item when it is done with its last.
  const iterator = Iterator.from(items);
  let failed = false;
  const takeTurns = async () => {
    for (const item of iterator) {
      if (failed) return;
      try {
        await act(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const results = await Promise.allSettled(Array.from({ length: atOnce }, takeTurns));
  for (const result of results) if (result.status === "rejected") throw result.reason;
}
