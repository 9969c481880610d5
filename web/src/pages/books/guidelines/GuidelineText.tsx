/** A guideline as it reads. It is markdown, whose reader is fetched when the first one is unfolded. */
import { Skeleton, Stack } from "@mantine/core";
import { lazy, Suspense } from "react";
import { fetchPage } from "../../../fetch-page.ts";

const GuidelineMarkdown = lazy(async () => ({
  default: (await fetchPage(import("./GuidelineMarkdown.tsx"))).GuidelineMarkdown,
}));

export function GuidelineText({ bookId, text }: { bookId: string; text: string }) {
  return (
    <Suspense fallback={<Placeholder />}>
      <GuidelineMarkdown bookId={bookId} text={text} />
    </Suspense>
  );
}

function Placeholder() {
  return (
    <Stack gap="xs" role="status" aria-label="Loading">
      <Skeleton height={18} width="30%" />
      <Skeleton height={14} />
      <Skeleton height={14} width="80%" />
    </Stack>
  );
}
