/** How `/api` says that something went wrong. */
import { z } from "zod";

export const ErrorAnswer = z
  .object({
    error: z.string().describe("A code a program can branch on."),
    message: z.string().describe("What happened and what to do next."),
    details: z.record(z.string(), z.unknown()).optional(),
    /** Finds the log line of an internal error. */
    requestId: z.string().optional(),
  })
  .meta({ id: "ErrorAnswer" });
export type ErrorAnswer = z.infer<typeof ErrorAnswer>;
