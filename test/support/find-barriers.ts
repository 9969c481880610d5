/** What axe finds on a page that keeps people out: findings that are serious or critical. */
import axe from "axe-core";
import type { Page } from "playwright-core";

interface Finding {
  id: string;
  impact: string;
  nodes: { html: string; failureSummary: string }[];
}

/** `rules` are those of axe to be looked at; left out, all. */
export async function findBarriers(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Colours that are on their way to others are nobody's choice.
  await page.evaluate(
    `Promise.allSettled(document.getAnimations()
      .filter((one) => one.effect?.getComputedTiming().iterations !== Infinity).map((one) => one.finished))`,
  );
  // Not as a script of the page: its policy would refuse it.
  await page.evaluate(axe.source);
  const options = { resultTypes: ["violations"], ...(rules && { runOnly: { type: "rule", values: rules } }) };
  const findings = await page.evaluate<Finding[]>(`axe.run(${JSON.stringify(options)}).then((run) => run.violations)`);
  return findings
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`));
}
