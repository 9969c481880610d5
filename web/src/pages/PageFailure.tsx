/** For a page that could not be shown, most often because the server has a newer version than this tab. */
import type { ErrorComponentProps } from "@tanstack/react-router";
import { ErrorNotice } from "../parts/ErrorNotice.tsx";

export function PageFailure({ error }: ErrorComponentProps) {
  return (
    <ErrorNotice
      title="This page could not be shown"
      error={toError(error)}
      onRetry={() => globalThis.location.reload()}
    />
  );
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
