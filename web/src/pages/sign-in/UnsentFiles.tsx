/** What became of uploads that were under way when somebody was signed out. */
import { Alert } from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import { countOf } from "../../parts/format.ts";
import { useUploads } from "../../uploads/UploadsProvider.tsx";

export function UnsentFiles() {
  const { uploads } = useUploads();
  const unsent = uploads.filter(({ error }) => error?.status === 401).length;
  if (unsent === 0) return null;
  return (
    <Alert
      color="yellow"
      icon={<IconUpload aria-hidden />}
      title={`${countOf(unsent, "file")} not uploaded`}
      role="status"
    >
      You were signed out meanwhile. Sign in as before and leave this tab open: they can be sent from there with “Try
      again”.
    </Alert>
  );
}
