/** A book: its pages with their scans and texts, its guidelines, and what was done with it. */
import { Paper, Tabs } from "@mantine/core";
import { IconBookOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { BookDetail } from "../../../../src/contract/books.ts";
import { oneBook } from "../../api/books.ts";
import { ButtonLink } from "../../parts/ButtonLink.tsx";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { ErrorNotice } from "../../parts/ErrorNotice.tsx";
import { countOf } from "../../parts/format.ts";
import { LoadingRows } from "../../parts/LoadingRows.tsx";
import { PageHeader } from "../../parts/PageHeader.tsx";
import { StateBadge } from "../../parts/StateBadge.tsx";
import { activeJobOf } from "./active-job.ts";
import { DeleteBookButton } from "./DeleteBookButton.tsx";
import { describeBook } from "./describe-book.ts";
import { GuidelinesTab } from "./guidelines/GuidelinesTab.tsx";
import { JobsTab } from "./jobs/JobsTab.tsx";
import { nameJob } from "./name-job.ts";
import { PagesTab } from "./pages/PagesTab.tsx";
import { useBookChanges } from "./use-book-changes.ts";

const route = getRouteApi("/shell/books/$bookId");
const back = { to: "/books", label: "Books" } as const;
const tabs = ["pages", "guidelines", "jobs"];

export function BookPage() {
  const { bookId } = route.useParams();
  const { tab = "pages", page } = route.useSearch();
  const navigate = route.useNavigate();
  useBookChanges(bookId);
  const { data: book, error, refetch } = useQuery(oneBook(bookId));
  if (error?.status === 404) return <NoSuchBook />;
  if (!book) {
    return (
      <>
        <PageHeader title="Book" back={back} />
        {error ? (
          <ErrorNotice title="The book could not be read" error={error} onRetry={() => void refetch()} />
        ) : (
          <Paper withBorder>
            <LoadingRows rows={8} />
          </Paper>
        )}
      </>
    );
  }
  return (
    <>
      <PageHeader
        title={book.title}
        back={back}
        badge={<WorkBadge book={book} />}
        description={[describeBook(book), countPages(book)].filter(Boolean).join(" · ")}
        actions={<DeleteBookButton book={book} onDeleted={() => void navigate({ to: "/books" })} />}
      />
      <Tabs
        value={tabs.includes(tab) ? tab : "pages"}
        onChange={(next) => void navigate({ search: { tab: next ?? undefined, page } })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="pages">Pages</Tabs.Tab>
          <Tabs.Tab value="guidelines">Guidelines</Tabs.Tab>
          <Tabs.Tab value="jobs">Jobs</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="pages">
          <PagesTab book={book} />
        </Tabs.Panel>
        <Tabs.Panel value="guidelines">
          <GuidelinesTab book={book} />
        </Tabs.Panel>
        <Tabs.Panel value="jobs">
          <JobsTab book={book} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function NoSuchBook() {
  return (
    <EmptyState
      icon={<IconBookOff size={40} />}
      title="There is no such book"
      isPage
      action={<ButtonLink to="/books">Show all books</ButtonLink>}
    >
      It may have been deleted.
    </EmptyState>
  );
}

function countPages({ pages }: BookDetail): string {
  const approved = pages.filter(({ status }) => status === "approved").length;
  return approved === 0 ? countOf(pages.length, "page") : `${countOf(pages.length, "page")}, ${approved} approved`;
}

/** Only while something is under way: what it is. */
function WorkBadge({ book }: { book: BookDetail }) {
  const job = activeJobOf(book);
  return job && <StateBadge state={job.status} label={`${nameJob(job.job_type)} ${job.status}`} />;
}
