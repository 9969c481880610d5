/** What can be told of a page at a glance: whether it has been read, and whether somebody has approved it. */
import { Loader } from "@mantine/core";
import { IconCheck, IconCircleCheckFilled, IconClock, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { BookPage } from "../../../../../src/contract/books.ts";

/** In the order in which they go through them; approved ones are read too. */
export type PageState = "waiting" | "working" | "failed" | "read" | "approved";

export function stateOf({ ocr_status, status }: BookPage): PageState {
  switch (ocr_status) {
    case "pending":
      return "waiting";
    case "processing":
      return "working";
    case "failed":
      return "failed";
    case "completed":
      return status === "approved" ? "approved" : "read";
  }
}

/** For people: what it is. */
export const stateWords: Record<PageState, string> = {
  waiting: "Waits for OCR",
  working: "OCR at work",
  failed: "OCR failed",
  read: "OCR done, to be reviewed",
  approved: "OCR done, approved",
};

const size = 16;
const green = "var(--mantine-color-green-text)";

export const stateIcons: Record<PageState, ReactNode> = {
  waiting: <IconClock size={size} color="var(--mantine-color-dimmed)" aria-hidden />,
  working: <Loader size={14} aria-hidden />,
  failed: <IconX size={size} color="var(--mantine-color-error)" aria-hidden />,
  read: <IconCheck size={size} color={green} aria-hidden />,
  approved: <IconCircleCheckFilled size={size} color={green} aria-hidden />,
};
