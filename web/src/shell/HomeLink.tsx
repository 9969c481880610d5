/** The logo with the name, which leads home from everywhere. */
import { Group, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Logo } from "./Logo.tsx";

export function HomeLink() {
  return (
    <Link to="/" aria-label="Docmill, home" style={{ textDecoration: "none", color: "inherit" }}>
      <Group gap={8} wrap="nowrap">
        <Logo />
        <Text fw={650} size="lg" lh={1}>
          Docmill
        </Text>
      </Group>
    </Link>
  );
}
