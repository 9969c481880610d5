/** A ledger in memory: what was paid for is answered from it, as JSON gives it back. */
import { ledgerKey, type PaidAnswer } from "../../src/jobs/ledger.ts";
import type { CallContext } from "../../src/providers/call-context.ts";

export interface RememberedCalls extends CallContext {
  /** By key, in the order of payment. */
  paid: Map<string, PaidAnswer<unknown>>;
}

export function rememberCalls(
  signal = new AbortController().signal,
  paid = new Map<string, PaidAnswer<unknown>>(),
): RememberedCalls {
  return {
    signal,
    paid,
    async remember(call) {
      const key = ledgerKey(call);
      if (!paid.has(key)) paid.set(key, JSON.parse(JSON.stringify(await call.call(signal))));
      return paid.get(key)?.answer as never;
    },
  };
}
