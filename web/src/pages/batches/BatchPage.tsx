/** `/batches/$batchId`: one swimmer's schedule. */
import { useParams } from "@tanstack/react-router";
import { BatchView } from "./view/BatchView.tsx";

export function BatchPage() {
  const { batchId } = useParams({ from: "/shell/batches/$batchId" });
  return <BatchView key={batchId} id={batchId} />;
}
