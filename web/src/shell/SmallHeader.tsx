/** The head of pages for everyone: the way to the rest, without its navigation. */
import { Box, Container, Group } from "@mantine/core";
import { HomeLink } from "./HomeLink.tsx";
import { ThemeSwitch } from "./ThemeSwitch.tsx";

export function SmallHeader() {
  return (
    <Box
      component="header"
      bg="var(--mantine-color-body)"
      style={{ borderBottom: "1px solid var(--mantine-color-default-border)" }}
    >
      <Container size="md" h={52}>
        <Group h="100%" justify="space-between" wrap="nowrap">
          <HomeLink />
          <ThemeSwitch />
        </Group>
      </Container>
    </Box>
  );
}
