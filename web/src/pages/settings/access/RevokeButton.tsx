/** Takes a key back for good. */
import type { ApiKey } from "../../../../../src/contract/access.ts";
import { useAccess } from "../../../access/AccessProvider.tsx";
import { accessKeys, revokeApiKey } from "../../../api/access.ts";
import { ApiError } from "../../../api/request.ts";
import { ConfirmButton } from "../../../parts/ConfirmButton.tsx";
import { useAction } from "../../../parts/use-action.ts";

export function RevokeButton({ apiKey: { id, name } }: { apiKey: ApiKey }) {
  const { session } = useAccess();
  const revocation = useAction({
    run: () => revokeApiKey(id).catch(explain),
    done: `The key “${name}” is revoked.`,
    outdates: [accessKeys.keys, accessKeys.audit],
  });
  const isOwn = session?.user?.keyId === id;
  return (
    <ConfirmButton
      size="compact-sm"
      aria-label={`Revoke ${name}`}
      loading={revocation.isPending}
      question={`Revoke “${name}”? Whoever uses it is refused from now on. This cannot be undone.${
        isOwn ? " You are signed in with it, and will be signed out." : ""
      }`}
      confirm="Revoke the key"
      onConfirm={() => revocation.mutate()}
    >
      Revoke
    </ConfirmButton>
  );
}

function explain(error: ApiError): never {
  if (error.code !== "LAST_ADMIN_KEY") throw error;
  const message =
    "This is the last key that may manage keys: without it nobody could make another from here. Make a second one of scope admin, sign in with that, then revoke this one.";
  throw new ApiError(error.status, error.code, message, { cause: error });
}
