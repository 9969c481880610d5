/** The frame around every page: navigation, the state of the connection, uploads under way, and files dropped anywhere. */
import { AppShell, Badge, Box, Burger, Divider, Group, ScrollArea } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Outlet, useRouterState } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { useActivity } from "../live/ActivityProvider.tsx";
import { PlaceLink } from "../parts/ButtonLink.tsx";
import { formatCount } from "../parts/format.ts";
import { UploadsPanel } from "../uploads/UploadsPanel.tsx";
import { UploadsProvider } from "../uploads/UploadsProvider.tsx";
import { ConnectionBanner } from "./ConnectionBanner.tsx";
import { DropAnywhere, DropTargetProvider } from "./DropAnywhere.tsx";
import { HomeLink } from "./HomeLink.tsx";
import { NoWorkerNotice } from "./NoWorkerNotice.tsx";
import { type Place, placesOfOperation, placesOfWork } from "./navigation.tsx";
import { ThemeSwitch } from "./ThemeSwitch.tsx";

export function Shell() {
  const [opened, { toggle, close }] = useDisclosure(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes because the page has changed.
  useEffect(close, [path]);

  return (
    <UploadsProvider>
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
              <ThemeSwitch />
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
    </UploadsProvider>
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
