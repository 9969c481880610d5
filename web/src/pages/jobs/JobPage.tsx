import { PageHeader } from "../../parts/PageHeader.tsx";

export function JobPage() {
  return <PageHeader title="JobPage" />;
}
