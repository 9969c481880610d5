/** How much the server takes at once; what it takes unless it was set up otherwise, as long as it has not said. */
import { useQuery } from "@tanstack/react-query";
import { systemInfo } from "../../../api/system.ts";
import type { SheetLimits } from "./check-form.ts";

export function useLimits(): SheetLimits & {
  /** False where the server is known to have no mail server. */
  canMail: boolean;
} {
  const { data } = useQuery(systemInfo);
  const setting = (env: string, usual: number) =>
    Number(data?.settings.find((one) => one.env === env)?.value ?? usual) || usual;
  return {
    maxSheets: setting("MAX_PDFS_PER_BATCH", 15),
    maxMb: setting("DOCMILL_MAX_PDF_MB", 50),
    canMail: data?.providers.find(({ use }) => use === "mail")?.name !== null,
  };
}
