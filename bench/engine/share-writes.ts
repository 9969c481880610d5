/** Merges what is written at the same time: while one write is under way the next ones gather and then go together. */
export function shareWrites<Item>(write: (items: Item[]) => Promise<unknown>): (item: Item) => Promise<void> {
  let waiting: { item: Item; resolve: () => void; reject: (error: unknown) => void }[] = [];
  let writing = false;
  const flush = async () => {
    writing = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await write(batch.map(({ item }) => item));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    writing = false;
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!writing && waiting.length === 1) setImmediate(() => void flush());
    });
}
