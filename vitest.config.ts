import { defineConfig } from "vitest/config";
import { ClosingLine } from "./scripts/closing-line.ts";

export default defineConfig({
  test: {
    globalSetup: ["test/support/global-setup.ts"],
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "web/src/**/*.test.{ts,tsx}"],
    // Tests start databases and kill processes: each file gets a process of its own, and two at a time leave a core
    // for what they start.
    pool: "forks",
    fileParallelism: true,
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: ["default", new ClosingLine()],
  },
});
