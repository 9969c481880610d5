/** Has the server fetch a document from an address. */
import { Button, Popover, Stack, TextInput } from "@mantine/core";
import { IconLink } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { addFromUrl, documentKeys } from "../../../api/documents.ts";
import { useAction } from "../../../parts/use-action.ts";
import { WriteButton } from "../../../parts/WriteButton.tsx";

export function AddFromUrl() {
  const [opened, setOpened] = useState(false);
  const [url, setUrl] = useState("");
  const [refusal, setRefusal] = useState<string | null>(null);
  const navigate = useNavigate();
  const add = useAction({
    run: addFromUrl,
    outdates: [documentKeys.list],
    onDone: ({ id }) => {
      setOpened(false);
      setUrl("");
      void navigate({ to: "/documents/$documentId", params: { documentId: id } });
    },
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const address = url.trim();
    if (!/^https?:\/\/\S+$/i.test(address) || !URL.canParse(address)) {
      setRefusal("Give a whole address, like https://example.com/paper.pdf");
      return;
    }
    setRefusal(null);
    add.mutate(address);
  };

  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      trapFocus
      returnFocus
      withArrow
      shadow="md"
      width={340}
      position="bottom-end"
    >
      <Popover.Target>
        <WriteButton
          variant="default"
          leftSection={<IconLink size={16} aria-hidden />}
          onClick={() => setOpened(!opened)}
        >
          Add from a URL
        </WriteButton>
      </Popover.Target>
      <Popover.Dropdown>
        <form onSubmit={submit} noValidate>
          <Stack gap="sm">
            <TextInput
              type="url"
              label="Address of the document"
              description="The server fetches it; it must be reachable from there."
              placeholder="https://example.com/paper.pdf"
              value={url}
              onChange={({ currentTarget }) => setUrl(currentTarget.value)}
              error={refusal}
              data-autofocus
            />
            <Button type="submit" loading={add.isPending}>
              Add document
            </Button>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
