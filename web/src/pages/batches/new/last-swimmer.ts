/** The swimmer asked for last, to be offered again. Browsers may refuse to keep it, which costs the offer only. */

const key = "docmill.last-swimmer";

export function readLastSwimmer(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function rememberSwimmer(name: string): void {
  try {
    localStorage.setItem(key, name);
  } catch {
    // Private windows may have no storage.
  }
}
