import { PageHeader } from "../../parts/PageHeader.tsx";

export function JobsPage() {
  return <PageHeader title="JobsPage" />;
}
