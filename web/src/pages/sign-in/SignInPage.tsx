/** `/sign-in`: asks for an API key, and leads back to where somebody was. On a server that asks for no keys, home. */
import { Container, Paper, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { useAccess } from "../../access/AccessProvider.tsx";
import { safePath } from "../../access/safe-path.ts";
import { session as sessionQuery } from "../../api/access.ts";
import { PageHeader } from "../../parts/PageHeader.tsx";
import { SmallHeader } from "../../shell/SmallHeader.tsx";
import { SignInForm } from "./SignInForm.tsx";
import { UnsentFiles } from "./UnsentFiles.tsx";

const route = getRouteApi("/sign-in");

export function SignInPage() {
  const { session, isPending, take } = useAccess();
  const { back } = route.useSearch();
  const router = useRouter();
  // Somebody may have signed in, meanwhile, in another tab of this browser.
  useQuery({ ...sessionQuery, refetchOnWindowFocus: "always" });
  const hasCome = Boolean(session?.user);
  const leadsTo = session?.keysRequired ? safePath(back) : "/";
  useEffect(() => {
    if (hasCome) router.history.replace(leadsTo);
  }, [hasCome, leadsTo, router]);
  if (isPending || hasCome) return null;
  return (
    <>
      <SmallHeader />
      <Container component="main" size={480} py="xl">
        <PageHeader title="Sign in" description="This server asks everybody for an API key." />
        <Stack gap="md">
          <UnsentFiles />
          <Paper withBorder p="md">
            <SignInForm onSignedIn={take} />
          </Paper>
        </Stack>
      </Container>
    </>
  );
}
