/** Holds a book for as long as pages are being brought in, with signs of life, and lets go of it whatever happens. */
import { DocmillError } from "../../errors.ts";
import type { BookServices } from "./book-services.ts";
import { type BookUpload, beginUpload, endUpload, renewUpload } from "./hold-book.ts";

const renewEveryMs = 15_000;

export async function withUpload<Result>(
  services: Pick<BookServices, "db" | "limits">,
  bookId: string,
  work: (upload: BookUpload, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const upload = await beginUpload(services, bookId);
  const lost = new AbortController();
  const renew = setInterval(() => {
    renewUpload(services, upload).then(
      (mine) => {
        if (!mine) lost.abort(new DocmillError("BOOK_BUSY", "The book was taken by another upload meanwhile."));
      },
      // A database that is away for a moment may be back for the next sign.
      () => undefined,
    );
  }, renewEveryMs);
  try {
    return await work(upload, lost.signal);
  } finally {
    clearInterval(renew);
    await endUpload(services, upload).catch(() => undefined);
  }
}
