/**
 * Tells one run of a job to stop. Most runs are short and never ask for the signal, and an AbortController is the dearest
 * object a short run would have: it is made when a stage first looks at it.
 */
export class JobAbort {
  aborted = false;
  /** Cancelled, lease lost, shutting down. */
  reason: unknown;
  #controller: AbortController | undefined;

  /** The first reason stays. */
  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    this.#controller?.abort(reason);
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.aborted) this.#controller.abort(this.reason);
    }
    return this.#controller.signal;
  }
}
