import { PageHeader } from "../../parts/PageHeader.tsx";

export function WorkersPage() {
  return <PageHeader title="WorkersPage" />;
}
