/** Which address shows which page. Each page is fetched when it is first gone to. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { fetchPage } from "./fetch-page.ts";
import { NotFoundPage } from "./pages/NotFoundPage.tsx";
import { PageFailure } from "./pages/PageFailure.tsx";
import { Shell } from "./shell/Shell.tsx";

const root = createRootRoute({ notFoundComponent: NotFoundPage });
const shell = createRoute({ getParentRoute: () => root, id: "shell", component: Shell });
const inShell = { getParentRoute: () => shell } as const;

const home = createRoute({
  ...inShell,
  path: "/",
  component: lazyRouteComponent(() => fetchPage(import("./pages/home/HomePage.tsx")), "HomePage"),
});

export interface DocumentsSearch {
  q?: string;
  status?: string;
  format?: string;
  sort?: string;
  /** Where in the list: the cursors of the pages gone through so far. */
  after?: string[];
}
const documents = createRoute({
  ...inShell,
  path: "/documents",
  validateSearch: ({ q, status, format, sort, after }: Record<string, unknown>): DocumentsSearch => ({
    q: asText(q),
    status: asText(status),
    format: asText(format),
    sort: asText(sort),
    after: Array.isArray(after) ? after.filter((cursor) => typeof cursor === "string") : undefined,
  }),
  component: lazyRouteComponent(() => fetchPage(import("./pages/documents/DocumentsPage.tsx")), "DocumentsPage"),
});

export interface DocumentSearch {
  tab?: string;
  page?: number;
  /** A passage to be marked: its offsets in the markdown. */
  start?: number;
  end?: number;
  /** The words that were searched for. */
  q?: string;
}
const document = createRoute({
  ...inShell,
  path: "/documents/$documentId",
  validateSearch: ({ tab, page, start, end, q }: Record<string, unknown>): DocumentSearch => ({
    tab: asText(tab),
    page: asNumber(page),
    start: asNumber(start),
    end: asNumber(end),
    q: asText(q),
  }),
  component: lazyRouteComponent(() => fetchPage(import("./pages/documents/DocumentPage.tsx")), "DocumentPage"),
});

export interface SearchSearch {
  q?: string;
  mode?: string;
}
const search = createRoute({
  ...inShell,
  path: "/search",
  validateSearch: ({ q, mode }: Record<string, unknown>): SearchSearch => ({ q: asText(q), mode: asText(mode) }),
  component: lazyRouteComponent(() => fetchPage(import("./pages/search/SearchPage.tsx")), "SearchPage"),
});

const batches = createRoute({
  ...inShell,
  path: "/batches",
  component: lazyRouteComponent(() => fetchPage(import("./pages/batches/BatchesPage.tsx")), "BatchesPage"),
});
const newBatch = createRoute({
  ...inShell,
  path: "/batches/new",
  component: lazyRouteComponent(() => fetchPage(import("./pages/batches/NewBatchPage.tsx")), "NewBatchPage"),
});
const batch = createRoute({
  ...inShell,
  path: "/batches/$batchId",
  component: lazyRouteComponent(() => fetchPage(import("./pages/batches/BatchPage.tsx")), "BatchPage"),
});

const books = createRoute({
  ...inShell,
  path: "/books",
  component: lazyRouteComponent(() => fetchPage(import("./pages/books/BooksPage.tsx")), "BooksPage"),
});
export interface BookSearch {
  tab?: string;
  page?: number;
}
const book = createRoute({
  ...inShell,
  path: "/books/$bookId",
  validateSearch: ({ tab, page }: Record<string, unknown>): BookSearch => ({ tab: asText(tab), page: asNumber(page) }),
  component: lazyRouteComponent(() => fetchPage(import("./pages/books/BookPage.tsx")), "BookPage"),
});

export interface JobsSearch {
  kind?: string;
  state?: string;
  batch?: string;
  /** How old at most: "1h", "24h", "7d". */
  age?: string;
}
const jobs = createRoute({
  ...inShell,
  path: "/jobs",
  validateSearch: ({ kind, state, batch: of, age }: Record<string, unknown>): JobsSearch => ({
    kind: asText(kind),
    state: asText(state),
    batch: asText(of),
    age: asText(age),
  }),
  component: lazyRouteComponent(() => fetchPage(import("./pages/jobs/JobsPage.tsx")), "JobsPage"),
});
const job = createRoute({
  ...inShell,
  path: "/jobs/$jobId",
  component: lazyRouteComponent(() => fetchPage(import("./pages/jobs/JobPage.tsx")), "JobPage"),
});

const workers = createRoute({
  ...inShell,
  path: "/workers",
  component: lazyRouteComponent(() => fetchPage(import("./pages/workers/WorkersPage.tsx")), "WorkersPage"),
});
const settings = createRoute({
  ...inShell,
  path: "/settings",
  component: lazyRouteComponent(() => fetchPage(import("./pages/settings/SettingsPage.tsx")), "SettingsPage"),
});

/** For whoever got a link: without the navigation of the rest. */
const sharedResult = createRoute({
  getParentRoute: () => root,
  path: "/results/$code",
  component: lazyRouteComponent(
    () => fetchPage(import("./pages/shared-result/SharedResultPage.tsx")),
    "SharedResultPage",
  ),
});

export interface SignInSearch {
  /** The path that somebody was led away from. */
  back?: string;
}
const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: ({ back }: Record<string, unknown>): SignInSearch => ({ back: asText(back) }),
  component: lazyRouteComponent(() => fetchPage(import("./pages/sign-in/SignInPage.tsx")), "SignInPage"),
});

const routeTree = root.addChildren([
  shell.addChildren([
    home,
    documents,
    document,
    search,
    batches,
    newBatch,
    batch,
    books,
    book,
    jobs,
    job,
    workers,
    settings,
  ]),
  sharedResult,
  signIn,
]);

export function createAppRouter() {
  return createRouter({
    routeTree,
    defaultPreload: "intent",
    defaultErrorComponent: PageFailure,
    defaultNotFoundComponent: NotFoundPage,
    scrollRestoration: true,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}

function asText(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

function asNumber(value: unknown): number | undefined {
  const number = Number(value);
  return value !== undefined && Number.isInteger(number) && number >= 0 ? number : undefined;
}
