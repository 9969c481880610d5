import { PageHeader } from "../../parts/PageHeader.tsx";

export function NewBatchPage() {
  return <PageHeader title="NewBatchPage" />;
}
