/** Why a job has not begun, in the server's words. */
import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { bookKinds } from "../../api/books.ts";
import { oneJob } from "../../api/jobs.ts";

export function WaitingReason({ jobId }: { jobId: string }) {
  // What it waits for are other jobs of books.
  const { data: job } = useQuery({ ...oneJob(jobId), meta: { live: bookKinds } });
  const waiting = job?.waiting;
  return (
    <Text size="sm" c="dimmed" mt={4} mih={20}>
      {waiting?.reason === "limit" && "It starts by itself when the job of another book has ended. "}
      {waiting?.explanation}
    </Text>
  );
}
