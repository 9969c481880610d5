/** Books as a table; at phone width what they are stands under their title. */
import { Table, Text, VisuallyHidden } from "@mantine/core";
import type { ListedBook } from "../../../../src/contract/books.ts";
import { Ago } from "../../parts/Ago.tsx";
import { TextLink } from "../../parts/ButtonLink.tsx";
import { countOf, formatCount } from "../../parts/format.ts";
import { DeleteBookButton } from "./DeleteBookButton.tsx";
import { describeBook } from "./describe-book.ts";
import { LatestWork } from "./LatestWork.tsx";

export function BookTable({ books }: { books: readonly ListedBook[] }) {
  return (
    <Table highlightOnHover verticalSpacing="xs" aria-label="Books">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Title</Table.Th>
          <Table.Th visibleFrom="md">Grade</Table.Th>
          <Table.Th visibleFrom="md">Subject</Table.Th>
          <Table.Th visibleFrom="sm" ta="right">
            Pages
          </Table.Th>
          <Table.Th>Latest work</Table.Th>
          <Table.Th visibleFrom="md">Created</Table.Th>
          <Table.Th visibleFrom="sm" w={100}>
            <VisuallyHidden>Actions</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {books.map((book) => (
          <Table.Tr key={book.id}>
            <Table.Td>
              <TextLink to="/books/$bookId" params={{ bookId: book.id }} fw={500}>
                {book.title}
              </TextLink>
              <Text size="sm" c="dimmed" visibleFrom="md">
                {book.author}
              </Text>
              <Text size="sm" c="dimmed" hiddenFrom="md">
                {describeBook(book)}
              </Text>
              <Text size="sm" c="dimmed" hiddenFrom="sm">
                {countOf(book.total_pages, "page")}
              </Text>
            </Table.Td>
            <Table.Td visibleFrom="md">{book.grade}</Table.Td>
            <Table.Td visibleFrom="md">{book.subject}</Table.Td>
            <Table.Td visibleFrom="sm" ta="right">
              {formatCount(book.total_pages)}
            </Table.Td>
            <Table.Td>
              <LatestWork book={book} />
            </Table.Td>
            <Table.Td visibleFrom="md">
              <Ago at={book.created_at} c="dimmed" />
            </Table.Td>
            <Table.Td visibleFrom="sm" ta="right">
              <DeleteBookButton book={book} size="compact-sm" variant="subtle" color="gray" />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
