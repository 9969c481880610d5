/** A logger for tests that do not look at what is logged. */
import { createLogger } from "../../src/logger.ts";

export const silentLogger = createLogger({ level: "silent" });
