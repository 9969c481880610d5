import { PageHeader } from "../../parts/PageHeader.tsx";

export function SharedResultPage() {
  return <PageHeader title="SharedResultPage" />;
}
