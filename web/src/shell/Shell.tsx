/**
 * The frame around every page: navigation, the state of the connection, uploads under way, and files dropped anywhere. Who
 * is not signed in where that is asked for sees none of it, and is led to where they can.
 */
import { AppShell, Badge, Box, Burger, Center, Divider, Group, Loader, ScrollArea } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Outlet, useRouter, useRouterState } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { useAccess } from "../access/AccessProvider.tsx";
import { useActivity } from "../live/ActivityProvider.tsx";
import { PlaceLink } from "../parts/ButtonLink.tsx";
import { formatCount } from "../parts/format.ts";
import { UploadsPanel } from "../uploads/UploadsPanel.tsx";
import { ConnectionBanner } from "./ConnectionBanner.tsx";
import { DropAnywhere, DropTargetProvider } from "./DropAnywhere.tsx";
import { HomeLink } from "./HomeLink.tsx";
import { NoWorkerNotice } from "./NoWorkerNotice.tsx";
import { type Place, placesOfOperation, placesOfWork } from "./navigation.tsx";
import { ThemeSwitch } from "./ThemeSwitch.tsx";
import { UserMenu } from "./UserMenu.tsx";

export function Shell() {
  const { isPending, isSignedOut } = useAccess();
  if (isSignedOut) return <GoToSignIn />;
  if (isPending) {
    return (
      <Center mih="100vh" role="status" aria-label="Loading">
        <Loader />
      </Center>
    );
  }
  return <Frame />;
}

function GoToSignIn() {
  const { keepsPlace } = useAccess();
  const router = useRouter();
  // Not in a layout effect: a page with unsaved text holds back whoever leaves until its own effects are undone.
  useEffect(() => {
    const { href } = router.state.location;
    const back = keepsPlace && href !== "/" ? href : undefined;
    void router.navigate({ to: "/sign-in", search: { back }, replace: true });
  }, [router, keepsPlace]);
  return null;
}

function Frame() {
  const [opened, { toggle, close }] = useDisclosure(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes because the page has changed.
  useEffect(close, [path]);

  return (
    <DropTargetProvider>
      <a href="#main" className="skip-link">
        Skip to the page
      </a>
      <AppShell
        header={{ height: 52 }}
        navbar={{ width: 208, breakpoint: "sm", collapsed: { mobile: !opened } }}
        padding="md"
      >
        <AppShell.Header>
          <Group h="100%" px="md" justify="space-between" wrap="nowrap">
            <Group gap="sm" wrap="nowrap">
              <Burger
                opened={opened}
                onClick={toggle}
                hiddenFrom="sm"
                size="sm"
                aria-label={opened ? "Close the menu" : "Open the menu"}
                aria-expanded={opened}
              />
              <HomeLink />
            </Group>
            <Group gap={4} wrap="nowrap" miw={0}>
              <UserMenu />
              <ThemeSwitch />
            </Group>
          </Group>
        </AppShell.Header>
        <AppShell.Navbar p="xs" aria-label="Places">
          <AppShell.Section grow component={ScrollArea}>
            {placesOfWork.map((place) => (
              <PlaceEntry key={place.to} {...place} onGo={close} />
            ))}
            <Divider my="xs" />
            {placesOfOperation.map((place) => (
              <PlaceEntry
                key={place.to}
                {...place}
                onGo={close}
                badge={place.to === "/jobs" ? <UnfinishedJobs /> : undefined}
              />
            ))}
          </AppShell.Section>
        </AppShell.Navbar>
        <AppShell.Main id="main" tabIndex={-1}>
          <ConnectionBanner />
          <NoWorkerNotice />
          <Box maw={1440} mx="auto">
            <Outlet />
          </Box>
        </AppShell.Main>
      </AppShell>
      <UploadsPanel />
      <DropAnywhere />
    </DropTargetProvider>
  );
}

interface PlaceEntryProps extends Place {
  badge?: ReactNode;
  /** Also when one is there already. */
  onGo(): void;
}

function PlaceEntry({ to, label, icon: Icon, badge, onGo }: PlaceEntryProps) {
  return (
    <PlaceLink
      to={to}
      label={label}
      leftSection={<Icon size={18} stroke={1.6} />}
      rightSection={badge}
      onClick={onGo}
      activeOptions={{ exact: to === "/" }}
      activeProps={{ active: true }}
      style={{ borderRadius: "var(--mantine-radius-md)" }}
    />
  );
}

/** How many jobs wait or run. */
function UnfinishedJobs() {
  const { stats } = useActivity();
  const unfinished = stats ? stats.jobs.pending + stats.jobs.running : 0;
  if (unfinished === 0) return null;
  return (
    <Badge size="sm" variant="filled" aria-label={`${unfinished} waiting or running`}>
      {formatCount(unfinished)}
    </Badge>
  );
}
