/** For addresses that lead nowhere. */
import { IconMapOff } from "@tabler/icons-react";
import { ButtonLink } from "../parts/ButtonLink.tsx";
import { EmptyState } from "../parts/EmptyState.tsx";

export function NotFoundPage() {
  return (
    <main>
      <EmptyState
        icon={<IconMapOff size={40} />}
        title="There is no such page"
        isPage
        action={<ButtonLink to="/">Go to the start</ButtonLink>}
      >
        The address may be mistyped, or what it named has been deleted.
      </EmptyState>
    </main>
  );
}
