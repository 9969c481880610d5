/**
 * Text that is being typed into a field and kept in the address: it goes there when typing pauses, or at once when asked
 * to, and the field follows when the address changes by other means, like the browser's Back.
 */
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";

const pauseMs = 300;

export interface TypedText {
  text: string;
  type(text: string): void;
  /** Without waiting for a pause: for Enter, and for a button that clears the field. */
  commit(text: string): void;
}

export function useTypedText(kept: string, keep: (text: string) => void): TypedText {
  const [text, setText] = useState(kept);
  const lastKept = useRef(kept);

  const commit = (typed: string) => {
    keepLater.cancel();
    setText(typed);
    if (typed === lastKept.current) return;
    lastKept.current = typed;
    keep(typed);
  };
  const keepLater = useDebouncedCallback(commit, pauseMs);

  useEffect(() => {
    if (kept === lastKept.current) return;
    lastKept.current = kept;
    setText(kept);
  }, [kept]);

  return {
    text,
    type(typed) {
      setText(typed);
      keepLater(typed);
    },
    commit,
  };
}
