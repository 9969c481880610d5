/** How long something has been going on, counting up. */
import { useNow } from "../../parts/use-now.ts";
import { formatElapsed } from "./format-elapsed.ts";

export function ElapsedTime({ since }: { since: string }) {
  const now = useNow(1_000);
  return <span>{formatElapsed(now - new Date(since).getTime())}</span>;
}
