/** Calls back when somebody else signs in than was signed in before: nothing of the one is for the other. */
import { useEffect, useRef } from "react";

/** By the name of the key: one that replaces a revoked one is the same person's. Undefined while nobody is signed in. */
export function useChangeOfPerson(name: string | null | undefined, onChange: () => void): void {
  const last = useRef(name);
  useEffect(() => {
    if (name === undefined) return;
    if (last.current !== undefined && last.current !== name) onChange();
    last.current = name;
  }, [name, onChange]);
}
