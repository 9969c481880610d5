import { PageHeader } from "../../parts/PageHeader.tsx";

export function HomePage() {
  return <PageHeader title="HomePage" />;
}
