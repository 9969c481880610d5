/** For a page that could not be shown. One that could not be fetched comes by itself once the server answers. */
import type { ErrorComponentProps } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { PageNotFetchedError } from "../fetch-page.ts";
import { useActivity } from "../live/ActivityProvider.tsx";
import { ErrorNotice } from "../parts/ErrorNotice.tsx";
import { useIsUploading } from "../uploads/UploadsProvider.tsx";

export function PageFailure({ error }: ErrorComponentProps) {
  if (error instanceof PageNotFetchedError) return <PageNotFetched error={error} />;
  return <ErrorNotice title="This page could not be shown" error={toError(error)} onRetry={loadAgain} />;
}

function PageNotFetched({ error }: { error: PageNotFetchedError }) {
  const isUploading = useIsUploading();
  const isBack = useIsBack(error);
  // Fetching the code alone does not do: styles that were missed once are not asked for again.
  useEffect(() => {
    if (isBack && !isUploading) loadAgain();
  }, [isBack, isUploading]);
  const { connection } = useActivity();
  const message = isBack
    ? "The server answers again. The page is loaded when the uploads have ended; trying again now would break them off."
    : connection === "open"
      ? "The server answers, but does not have this page. Try again in a moment: it may be in the middle of an update."
      : "The server cannot be reached. The page comes by itself when the server is back.";
  return <ErrorNotice title="This page could not be fetched" error={new Error(message)} onRetry={loadAgain} />;
}

/**
 * Whether the server has come back since. Where it was there all along, the code is of a version that it no longer has:
 * loading again helps then, but once only, or a page that stays missing would load for ever.
 */
function useIsBack({ cause }: PageNotFetchedError): boolean {
  const { connection } = useActivity();
  // Browsers name the file that is missing, and a file of another version has another name.
  const tried = `docmill-loaded-again:${String(cause)}`;
  const [wasAway, setWasAway] = useState(false);
  const [isFirstTry] = useState(() => sessionStorage.getItem(tried) === null);
  if (connection === "lost" && !wasAway) setWasAway(true);
  const isBack = connection === "open" && (wasAway || isFirstTry);
  useEffect(() => {
    if (isBack) sessionStorage.setItem(tried, "yes");
  }, [isBack, tried]);
  return isBack;
}

function loadAgain(): void {
  globalThis.location.reload();
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
