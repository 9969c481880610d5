/** Sends files with progress, which fetch does not tell. Whoever is signed out meanwhile has not sent them. */
import { ApiError, readAnswer, signedOut, unreachable } from "./request.ts";
import { onSignedOut } from "./signed-out.ts";

export interface SendOptions {
  method?: "POST" | "PUT";
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Between 0 and 1; 1 when all of it is on its way and only the answer is missing. */
  onProgress?(share: number): void;
}

export function sendFiles<Answer>(url: string, form: FormData, options: SendOptions = {}): Promise<Answer> {
  const { method = "POST", headers = {}, signal, onProgress } = options;
  let stopListening: () => void = () => undefined;
  return new Promise<Answer>((resolve, reject) => {
    const transfer = new XMLHttpRequest();
    stopListening = onSignedOut(() => {
      reject(signedOut());
      transfer.abort();
    });
    transfer.open(method, url);
    transfer.setRequestHeader("accept", "application/json");
    for (const [name, value] of Object.entries(headers)) transfer.setRequestHeader(name, value);
    transfer.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable) onProgress?.(loaded / total);
    };
    transfer.onload = () => {
      try {
        resolve(readAnswer<Answer>(transfer.status, transfer.responseText));
      } catch (error) {
        reject(error);
      }
    };
    transfer.onerror = () => reject(unreachable());
    const stopped = () => reject(new ApiError(0, "ABORTED", "The upload was stopped."));
    transfer.onabort = stopped;
    signal?.addEventListener("abort", () => transfer.abort());
    if (signal?.aborted) stopped();
    else transfer.send(form);
  }).finally(stopListening);
}
