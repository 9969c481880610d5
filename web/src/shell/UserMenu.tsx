/** Who is signed in, what they may do, and the way out. Nothing where no keys are asked for. */
import { Button, Menu, Text } from "@mantine/core";
import { IconLogout, IconUser } from "@tabler/icons-react";
import { useAccess } from "../access/AccessProvider.tsx";
import { scopeWords } from "../access/scope-words.ts";
import { signOut } from "../api/access.ts";
import { useAction } from "../parts/use-action.ts";
import { useIsUploading, useUploads } from "../uploads/UploadsProvider.tsx";

export function UserMenu() {
  const { session, take } = useAccess();
  const { removeAll } = useUploads();
  const isUploading = useIsUploading();
  const leave = useAction({
    run: signOut,
    isForReaders: true,
    onDone: (ended) => {
      removeAll();
      take(ended);
    },
  });
  if (!session?.keysRequired || !session.user) return null;
  const { name, scope } = session.user;
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          px="xs"
          maw={{ base: 130, sm: 260 }}
          leftSection={<IconUser size={18} aria-hidden />}
          aria-label={`Signed in as ${name}, ${scope}`}
        >
          <Text span truncate size="sm">
            {name}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          Signed in as {name}: {scopeWords[scope]}
        </Menu.Label>
        <Menu.Item
          leftSection={<IconLogout size={16} aria-hidden />}
          disabled={leave.isPending}
          onClick={() => leave.mutate()}
        >
          {isUploading ? "Sign out and stop uploading" : "Sign out"}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
