/** The places of the application, in the order of its navigation. */
import {
  IconBook2,
  IconFiles,
  IconHome,
  IconListDetails,
  IconSearch,
  IconServer2,
  IconSettings,
  IconSwimming,
} from "@tabler/icons-react";
import type { LinkProps } from "@tanstack/react-router";
import type { ComponentType } from "react";

export interface Place {
  to: LinkProps["to"];
  label: string;
  icon: ComponentType<{ size?: number; stroke?: number }>;
}

export const placesOfWork: readonly Place[] = [
  { to: "/", label: "Home", icon: IconHome },
  { to: "/documents", label: "Documents", icon: IconFiles },
  { to: "/search", label: "Search", icon: IconSearch },
  { to: "/batches", label: "Heat sheets", icon: IconSwimming },
  { to: "/books", label: "Books", icon: IconBook2 },
];

export const placesOfOperation: readonly Place[] = [
  { to: "/jobs", label: "Jobs", icon: IconListDetails },
  { to: "/workers", label: "Workers", icon: IconServer2 },
  { to: "/settings", label: "Settings", icon: IconSettings },
];
