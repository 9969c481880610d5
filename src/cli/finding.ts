/** What a check of `docmill doctor` has found. */
export interface Finding {
  result: "ok" | "warn" | "fail";
  subject: string;
  /** What is, and after anything but `ok` what to do about it. */
  message: string;
}

/** What the check says is well; what it throws is not. */
export async function attempt(subject: string, check: () => Promise<string>): Promise<Finding> {
  try {
    return { result: "ok", subject, message: await check() };
  } catch (error) {
    return { result: "fail", subject, message: (error as Error).message || String((error as { code?: string }).code) };
  }
}
