/** A page as a picture in a box of the page's own proportions, so that nothing jumps, with room for marks over it. */
import { Box, Button, Skeleton, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { PageWords } from "../../../../../src/contract/documents.ts";
import { pageImageUrl, pageWords } from "../../../api/documents.ts";
import classes from "./PageImage.module.css";

export interface PageImageProps {
  documentId: string;
  page: number;
  pageCount: number;
  /** Drawn over the page, in percent of it. Given the words of this page, never those of another. */
  marks?(words: PageWords): ReactNode;
}

/** A4, until the server has told. */
const usual = { width: 595, height: 842 };

export function PageImage({ documentId, page, pageCount, marks }: PageImageProps) {
  // The page before has the same size, most often.
  const { data } = useQuery({ ...pageWords(documentId, page), placeholderData: keepPreviousData });
  const { width, height } = data ?? usual;
  const words = data?.page === page ? data : undefined;
  return (
    <Box className={classes.page} __vars={{ "--page-ratio": String(width / height) }}>
      <Picture key={page} src={pageImageUrl(documentId, page)} alt={`Page ${page} of ${pageCount}`} />
      {words && marks?.(words)}
    </Box>
  );
}

function Picture({ src, alt }: { src: string; alt: string }) {
  const [state, setState] = useState<"loading" | "shown" | "failed">("loading");
  const [attempt, setAttempt] = useState(0);
  if (state === "failed") {
    return (
      <div className={classes.failure} role="alert">
        <Text size="sm">This page could not be drawn.</Text>
        <Button
          size="xs"
          variant="default"
          onClick={() => {
            setState("loading");
            setAttempt(attempt + 1);
          }}
        >
          Try again
        </Button>
      </div>
    );
  }
  return (
    <>
      {state === "loading" && <Skeleton className={classes.fill} radius={0} />}
      <img
        key={attempt}
        src={src}
        alt={alt}
        loading="lazy"
        decoding="async"
        className={classes.fill}
        data-shown={state === "shown"}
        onLoad={() => setState("shown")}
        onError={() => setState("failed")}
      />
    </>
  );
}
