/** Every promise, checked from the tables. */
import { checkBatches } from "./batches.ts";
import { checkEffects } from "./effects.ts";
import { checkEndings } from "./endings.ts";
import { checkEvents } from "./events.ts";
import type { CheckedPromise, Evidence } from "./evidence.ts";
import { checkLeases } from "./leases.ts";
import { checkLimits } from "./limits.ts";
import { checkNothingLost } from "./nothing-lost.ts";
import { checkPayments } from "./payments.ts";

const checks = [
  checkNothingLost,
  checkEffects,
  checkLeases,
  checkLimits,
  checkEvents,
  checkBatches,
  checkEndings,
  checkPayments,
];

export async function checkPromises(evidence: Evidence): Promise<CheckedPromise[]> {
  const checked: CheckedPromise[] = [];
  for (const check of checks) checked.push(...(await check(evidence)));
  return checked;
}
