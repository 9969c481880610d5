/** Adds a document by its address: the server fetches it. */
import { Group, TextInput } from "@mantine/core";
import { IconLink } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { addFromUrl, documentKeys } from "../../api/documents.ts";
import { useAction } from "../../parts/use-action.ts";
import { WriteButton } from "../../parts/WriteButton.tsx";

export function AddFromUrl() {
  const [url, setUrl] = useState("");
  const add = useAction({
    run: addFromUrl,
    done: "Added. It is fetched and read in the background.",
    outdates: [documentKeys.list],
    onDone: () => setUrl(""),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (url.trim() !== "") add.mutate(url.trim());
  };
  return (
    <form onSubmit={submit}>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <TextInput
          type="url"
          inputMode="url"
          value={url}
          onChange={(event) => {
            add.reset();
            setUrl(event.currentTarget.value);
          }}
          placeholder="or paste an address: https://…"
          aria-label="Address of a document"
          leftSection={<IconLink size={16} aria-hidden />}
          error={add.error?.message}
          style={{ flex: 1 }}
        />
        <WriteButton type="submit" variant="default" loading={add.isPending} disabled={url.trim() === ""}>
          Add
        </WriteButton>
      </Group>
    </form>
  );
}
