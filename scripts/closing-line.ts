/**
 * Ends a test run with one plain line, `12 passed, 0 failed, 1 skipped`, for programs that read the output.
 * A run that failed never says `0 failed`: a file that would not load and an error outside any test count too.
 */
import type { Reporter, TestModule } from "vitest/node";

export class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[], reason: string): void {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) {
      counts.failed += module.errors().length;
      for (const suite of module.children.allSuites()) counts.failed += suite.errors().length;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed" || state === "failed") counts[state]++;
        else counts.skipped++;
      }
    }
    if (reason !== "passed") counts.failed = Math.max(counts.failed, 1);
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
    process.stdout.write(`${counts.passed} passed, ${counts.failed} failed${skipped}\n`);
  }
}
