import { PageHeader } from "../../parts/PageHeader.tsx";

export function BatchesPage() {
  return <PageHeader title="BatchesPage" />;
}
