/** What the server says for people names times for machines: this puts them as the reader's clock shows them. */
import { formatDateTime } from "../../../parts/format.ts";

export function withLocalTimes(text: string): string {
  return text.replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, (time) => formatDateTime(time));
}
