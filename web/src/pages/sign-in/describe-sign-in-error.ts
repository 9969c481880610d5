/** Why signing in did not work, and what to do about it. */
import type { ApiError } from "../../api/request.ts";

const time = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });

export function describeSignInError({ code, message, details }: ApiError, now = Date.now()): string {
  if (code === "WRONG_KEY") {
    return "This key is wrong, was revoked or has expired. Check that all of it is there: keys begin with dm_.";
  }
  if (code !== "RATE_LIMITED") return message;
  const seconds = Number(details.retryAfterSeconds);
  if (!Number.isFinite(seconds)) return "There were too many wrong keys from here. Try again in a minute.";
  return `There were too many wrong keys from here. Try again in ${seconds} s, at ${time.format(now + seconds * 1_000)}.`;
}
