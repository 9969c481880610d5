/** Finds passages in all documents, by their words and by what they mean. The question is in the address. */
import {
  Button,
  Center,
  CloseButton,
  Group,
  Paper,
  SegmentedControl,
  Text,
  TextInput,
  VisuallyHidden,
} from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { searchPassages } from "../../api/documents.ts";
import { ErrorNotice } from "../../parts/ErrorNotice.tsx";
import { countOf } from "../../parts/format.ts";
import { LoadingRows } from "../../parts/LoadingRows.tsx";
import { PageHeader } from "../../parts/PageHeader.tsx";
import { useTypedText } from "../../parts/use-typed-text.ts";
import { NoHits } from "./NoHits.tsx";
import { SearchHits } from "./SearchHits.tsx";
import { SearchIntroduction } from "./SearchIntroduction.tsx";
import classes from "./SearchPage.module.css";
import { modeOf, modeOptions, toSearchQuery } from "./search-query.ts";

const route = getRouteApi("/shell/search");

export function SearchPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mode = modeOf(search.mode);
  const ask = (q: string) =>
    void navigate({ search: (now) => ({ ...now, q: q.trim() === "" ? undefined : q }), replace: true });
  const typed = useTypedText(search.q ?? "", ask);
  const query = toSearchQuery(search);

  return (
    <>
      <PageHeader title="Search" description="Passages of all documents, by their words and by what they mean." />
      <Group component="search" gap="sm" mb="md" align="center">
        <TextInput
          size="lg"
          flex="1 1 320px"
          aria-label="Search in all documents"
          placeholder="A word, a question, a sentence"
          leftSection={<IconSearch size={20} aria-hidden />}
          rightSection={
            typed.text !== "" && <CloseButton aria-label="Clear the search" onClick={() => typed.commit("")} />
          }
          value={typed.text}
          onChange={({ currentTarget }) => typed.type(currentTarget.value)}
          onKeyDown={({ key }) => key === "Enter" && typed.commit(typed.text)}
          maxLength={1_000}
          autoFocus
        />
        <SegmentedControl
          className={classes.mode}
          aria-label="Search by"
          value={mode}
          onChange={(value) =>
            void navigate({
              search: (now) => ({ ...now, mode: value === "hybrid" ? undefined : value }),
              replace: true,
            })
          }
          data={[...modeOptions]}
        />
      </Group>
      {query ? (
        <Results query={query} onMode={() => void navigate({ search: ({ q }) => ({ q }), replace: true })} />
      ) : (
        <SearchIntroduction onAsk={typed.commit} />
      )}
    </>
  );
}

interface ResultsProps {
  query: NonNullable<ReturnType<typeof toSearchQuery>>;
  onMode(): void;
}

function Results({ query, onMode }: ResultsProps) {
  const { data, error, isPlaceholderData, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    searchPassages(query),
  );
  if (error && !data) {
    return <ErrorNotice title="The search did not work" error={error} onRetry={() => void refetch()} />;
  }
  if (!data) {
    return (
      <Paper withBorder>
        <LoadingRows rows={5} height={92} />
      </Paper>
    );
  }
  const hits = data.pages.flatMap(({ items }) => items);
  const notice = data.pages.find((page) => page.notice !== undefined)?.notice;
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs" role="status">
        {isPlaceholderData ? "Searching …" : `${hasNextPage ? "The best " : ""}${countOf(hits.length, "passage")}`}
        {notice !== undefined && ` · ${notice}`}
      </Text>
      <VisuallyHidden>
        <h2>Passages that were found</h2>
      </VisuallyHidden>
      <Paper withBorder className={classes.results} data-old={isPlaceholderData}>
        {hits.length === 0 ? <NoHits mode={query.mode} onWiden={onMode} /> : <SearchHits hits={hits} q={query.q} />}
      </Paper>
      {hasNextPage && (
        <Center mt="md">
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </Center>
      )}
    </>
  );
}
