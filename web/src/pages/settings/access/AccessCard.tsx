/** Who can use this server: how it is now, and, for those who may manage it, the keys and what was done. */
import { Badge, Divider, Stack, Text } from "@mantine/core";
import { IconLock, IconLockOpen } from "@tabler/icons-react";
import type { Session } from "../../../../../src/contract/access.ts";
import { useAccess } from "../../../access/AccessProvider.tsx";
import { LoadingRows } from "../../../parts/LoadingRows.tsx";
import { CodeWords } from "../CodeWords.tsx";
import { SettingsSection } from "../SettingsSection.tsx";
import { AuditLog } from "./AuditLog.tsx";
import { KeyList } from "./KeyList.tsx";

export function AccessCard() {
  const { session } = useAccess();
  return (
    <SettingsSection title="Access" action={session && <Mode keysRequired={session.keysRequired} />}>
      {session ? <AccessFacts session={session} /> : <LoadingRows rows={2} height={20} />}
    </SettingsSection>
  );
}

function Mode({ keysRequired }: Pick<Session, "keysRequired">) {
  return keysRequired ? (
    <Badge color="green" leftSection={<IconLock size={13} aria-hidden />}>
      keys needed
    </Badge>
  ) : (
    <Badge color="gray" leftSection={<IconLockOpen size={13} aria-hidden />}>
      open, this machine only
    </Badge>
  );
}

const openWords =
  "This server asks for no key: whoever is on this machine may do everything. It listens on loopback addresses only, so nobody else reaches it.";
const openingWords =
  "To let other machines in, make a key of scope admin, here or with `docmill keys create --name you --scope admin`, then start the server with `HOST=0.0.0.0`. From then on everybody needs a key. `DOCMILL_REQUIRE_KEYS=true` asks for keys on this machine, too.";
const keysWords =
  "Everybody needs a key: people sign in with it, programs send it as `Authorization: Bearer …`. Shared schedules can be seen by whoever has their link.";

function AccessFacts({ session: { keysRequired, user } }: { session: Session }) {
  return (
    <Stack gap="xs">
      <Text size="sm">
        <CodeWords>{keysRequired ? keysWords : openWords}</CodeWords>
      </Text>
      {!keysRequired && (
        <Text size="sm" c="dimmed">
          <CodeWords>{openingWords}</CodeWords>
        </Text>
      )}
      {user?.scope === "admin" ? (
        <>
          <Divider my="xs" />
          <KeyList />
          <Divider my="xs" />
          <AuditLog />
        </>
      ) : (
        <Text size="sm" c="dimmed">
          Keys and what was done with them can be seen by those who have a key of scope admin. Yours has the scope{" "}
          {user?.scope}.
        </Text>
      )}
    </Stack>
  );
}
