import { PageHeader } from "../../parts/PageHeader.tsx";

export function SettingsPage() {
  return <PageHeader title="SettingsPage" />;
}
