import { PageHeader } from "../../parts/PageHeader.tsx";

export function SearchPage() {
  return <PageHeader title="SearchPage" />;
}
