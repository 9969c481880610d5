import { PageHeader } from "../../parts/PageHeader.tsx";

export function BookPage() {
  return <PageHeader title="BookPage" />;
}
