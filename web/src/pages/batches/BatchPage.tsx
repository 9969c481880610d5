import { PageHeader } from "../../parts/PageHeader.tsx";

export function BatchPage() {
  return <PageHeader title="BatchPage" />;
}
