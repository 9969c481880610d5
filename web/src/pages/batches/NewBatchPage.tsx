/** `/batches/new`: a swimmer's name and heat sheets from anywhere become a schedule. */
import { useLocation } from "@tanstack/react-router";
import { PageHeader } from "../../parts/PageHeader.tsx";
import { sentFor } from "./again.ts";
import { NewSchedule } from "./new/NewSchedule.tsx";

export function NewBatchPage() {
  const { again } = useLocation({ select: ({ state }) => state });
  return (
    <>
      <PageHeader
        title="New schedule"
        back={{ to: "/batches", label: "Heat sheets" }}
        description="One swimmer, all heat sheets of a meet, one schedule."
      />
      <NewSchedule swimmer={again?.swimmer ?? ""} sheets={again ? sentFor(again.batchId) : []} />
    </>
  );
}
