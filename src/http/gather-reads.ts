/**
 * Many readers at once share a statement: while one is under way, what else is asked for gathers, and the next reads all
 * of it. Nothing is remembered: a read begins only after everything that it answers was asked for.
 */
type Read<Value> = (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>;

interface Gathering<Value> {
  keys: Set<string>;
  values: Promise<ReadonlyMap<string, Value>>;
}

export function gatherReads<Value>(read: Read<Value>): (key: string) => Promise<Value | undefined> {
  let gathering: Gathering<Value> | undefined;
  let underWay: Promise<unknown> = Promise.resolve();

  return async (key) => {
    gathering ??= gather();
    gathering.keys.add(key);
    return (await gathering.values).get(key);
  };

  function gather(): Gathering<Value> {
    const keys = new Set<string>();
    const values = underWay.then(() => {
      gathering = undefined;
      return read([...keys]);
    });
    underWay = values.catch(() => undefined);
    return { keys, values };
  }
}
