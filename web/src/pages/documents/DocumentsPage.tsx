import { PageHeader } from "../../parts/PageHeader.tsx";

export function DocumentsPage() {
  return <PageHeader title="DocumentsPage" />;
}
