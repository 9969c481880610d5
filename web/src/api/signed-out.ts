/**
 * Tells, once and in one place, that the server no longer knows who is asking. Whoever hears it first is whoever asked:
 * a request, an upload or a stream.
 */
type Listener = () => void;

const listeners = new Set<Listener>();

/** Calls back, before the answer is handed on, whenever the server asks who somebody is. Answers how to stop it. */
export function onSignedOut(listener: Listener): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

export function tellSignedOut(): void {
  for (const listener of [...listeners]) listener();
}
