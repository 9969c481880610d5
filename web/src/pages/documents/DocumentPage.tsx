import { PageHeader } from "../../parts/PageHeader.tsx";

export function DocumentPage() {
  return <PageHeader title="DocumentPage" />;
}
