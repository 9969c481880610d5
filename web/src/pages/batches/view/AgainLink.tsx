/** Leads to a new schedule with another spelling of the name, from the same sheets. */
import type { ButtonProps } from "@mantine/core";
import type { ReactNode } from "react";
import { ButtonLink } from "../../../parts/ButtonLink.tsx";
import type { Again } from "../again.ts";

export function AgainLink({ swimmer, batchId, children, ...button }: Again & ButtonProps & { children: ReactNode }) {
  return (
    <ButtonLink to="/batches/new" state={{ again: { swimmer, batchId } }} {...button}>
      {children}
    </ButtonLink>
  );
}
