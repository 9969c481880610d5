import { PageHeader } from "../../parts/PageHeader.tsx";

export function BooksPage() {
  return <PageHeader title="BooksPage" />;
}
