/** What a sheet's job is told. Where its file is stands in its row, because it is another one for each try of a request. */
import { z } from "zod";

export const SheetInput = z.object({
  filename: z.string(),
  url: z.string().optional(),
  swimmerName: z.string(),
  swimmerKey: z.string(),
  extractor: z.enum(["auto", "ai"]),
});
export type SheetInput = z.infer<typeof SheetInput>;
