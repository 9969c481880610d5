/** What a provider's call gets from the job it is made for. A stage's own context fits. */
import type { PaidCall } from "../jobs/ledger.ts";

export interface CallContext {
  signal: AbortSignal;
  /** Makes a paid call once, ever: every remote answer goes through it. */
  remember<Answer>(call: PaidCall<Answer>): Promise<Answer>;
}
