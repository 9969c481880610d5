/** Books as a table whose columns keep their widths whatever a title is like, and one below the other where there is no room for one. */
import { Group, Stack, Table, Text, VisuallyHidden } from "@mantine/core";
import type { ListedBook } from "../../../../src/contract/books.ts";
import { Ago } from "../../parts/Ago.tsx";
import { TextLink } from "../../parts/ButtonLink.tsx";
import { countOf, formatCount } from "../../parts/format.ts";
import classes from "./BookTable.module.css";
import { DeleteBookButton } from "./DeleteBookButton.tsx";
import { describeBook } from "./describe-book.ts";
import { LatestWork } from "./LatestWork.tsx";

export function BookTable({ books }: { books: readonly ListedBook[] }) {
  return (
    <>
      <Table highlightOnHover verticalSpacing="xs" layout="fixed" aria-label="Books" visibleFrom="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Title</Table.Th>
            <Table.Th visibleFrom="md" w={90}>
              Grade
            </Table.Th>
            <Table.Th visibleFrom="md" w={130}>
              Subject
            </Table.Th>
            <Table.Th ta="right" w={80}>
              Pages
            </Table.Th>
            <Table.Th w={190}>Latest work</Table.Th>
            <Table.Th visibleFrom="md" w={130}>
              Created
            </Table.Th>
            <Table.Th w={100}>
              <VisuallyHidden>Actions</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {books.map((book) => (
            <Table.Tr key={book.id}>
              <Table.Td>
                <BookTitle book={book} />
                <Text size="sm" c="dimmed" visibleFrom="md" lineClamp={1}>
                  {book.author}
                </Text>
                <Text size="sm" c="dimmed" hiddenFrom="md" lineClamp={2}>
                  {describeBook(book)}
                </Text>
              </Table.Td>
              <Table.Td visibleFrom="md" className={classes.words}>
                {book.grade}
              </Table.Td>
              <Table.Td visibleFrom="md" className={classes.words}>
                {book.subject}
              </Table.Td>
              <Table.Td ta="right">{formatCount(book.total_pages)}</Table.Td>
              <Table.Td>
                <LatestWork book={book} />
              </Table.Td>
              <Table.Td visibleFrom="md">
                <Ago at={book.created_at} c="dimmed" />
              </Table.Td>
              <Table.Td ta="right">
                <DeleteBookButton book={book} size="compact-sm" variant="subtle" color="gray" />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Stack gap={0} hiddenFrom="sm" component="ul" className={classes.stack} aria-label="Books">
        {books.map((book) => (
          <li key={book.id} className={classes.book}>
            <BookTitle book={book} />
            <Text size="sm" c="dimmed" lineClamp={2}>
              {[describeBook(book), countOf(book.total_pages, "page")].filter(Boolean).join(" · ")}
            </Text>
            <Group gap="xs" mt={4}>
              <LatestWork book={book} />
            </Group>
          </li>
        ))}
      </Stack>
    </>
  );
}

function BookTitle({ book: { id, title } }: { book: ListedBook }) {
  return (
    <TextLink
      to="/books/$bookId"
      params={{ bookId: id }}
      fw={500}
      lineClamp={2}
      title={title}
      className={classes.words}
    >
      {title}
    </TextLink>
  );
}
