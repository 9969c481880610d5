/** Boxes of fields and tables over the picture of their page. By keyboard they are reached through their rows. */
import { UnstyledButton } from "@mantine/core";
import { type Box, type PageSize, placeBox } from "../page-image/boxes.ts";
import classes from "./ExtractedTab.module.css";

interface FoundThing {
  key: string;
  kind: "field" | "table";
  label: string;
  box: Box | null;
}

export interface BoxMarksProps {
  things: readonly FoundThing[];
  size: PageSize;
  pointed: string | null;
  onPoint(key: string | null): void;
}

export function BoxMarks({ things, size, pointed, onPoint }: BoxMarksProps) {
  // A field inside a table lies over it.
  const ordered = things.toSorted((a, b) => Number(a.kind === "field") - Number(b.kind === "field"));
  return (
    <div aria-hidden>
      {ordered.map(({ key, kind, label, box }) =>
        box === null ? null : (
          <UnstyledButton
            key={key}
            tabIndex={-1}
            title={label}
            className={classes.box}
            data-kind={kind}
            data-pointed={pointed === key}
            style={{ ...placeBox(box, size, 2) }}
            onMouseEnter={() => onPoint(key)}
            onMouseLeave={() => onPoint(null)}
            onClick={() => document.getElementById(key)?.scrollIntoView({ block: "center", behavior: "smooth" })}
          />
        ),
      )}
    </div>
  );
}
