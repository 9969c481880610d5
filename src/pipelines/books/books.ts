/** Everything about books that a process has open: what servers and workers are built on. */
import type { BookServices } from "./book-services.ts";
import type { BookActions } from "./change-books.ts";
import type { PageActions } from "./change-pages.ts";
import type { BookPipelines } from "./pipeline.ts";

export interface Books {
  services: BookServices;
  pipelines: BookPipelines;
  actions: BookActions;
  pages: PageActions;
}
