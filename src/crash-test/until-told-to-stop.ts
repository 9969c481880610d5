/** Runs something that ends by itself, and sooner when the process is told to stop: then it is to clean up and throw. */

/** npm passes Ctrl-C on to a process that the terminal has already sent it to: one key, two signals. */
const sameKeyMs = 500;
const signals = ["SIGTERM", "SIGINT"] as const;

export async function untilToldToStop<T>(run: (stop: AbortSignal) => Promise<T>, stopped: Error): Promise<T> {
  const stopping = new AbortController();
  let firstAt: number | undefined;
  const onSignal = () => {
    const now = performance.now();
    firstAt ??= now;
    stopping.abort(stopped);
    if (now - firstAt > sameKeyMs) process.exit(1);
  };
  for (const signal of signals) process.on(signal, onSignal);
  try {
    return await run(stopping.signal);
  } catch (error) {
    throw stopping.signal.aborted ? stopped : error;
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
  }
}
