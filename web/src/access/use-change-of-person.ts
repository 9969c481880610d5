/** Calls back when somebody else signs in than was signed in before: nothing of the one is for the other. */
import { useEffect, useRef } from "react";

/** The id of the key is undefined while nobody is signed in. */
export function useChangeOfPerson(keyId: string | null | undefined, onChange: () => void): void {
  const last = useRef(keyId);
  useEffect(() => {
    if (keyId === undefined) return;
    if (last.current !== undefined && last.current !== keyId) onChange();
    last.current = keyId;
  }, [keyId, onChange]);
}
