/** Mantine's buttons, anchors and navigation entries as links of the router. */
import { Anchor, type AnchorProps, Button, type ButtonProps, NavLink, type NavLinkProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, RefAttributes } from "react";

type LinkAttributes = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "color" | "style"> &
  RefAttributes<HTMLAnchorElement>;

export const ButtonLink = createLink((props: Omit<ButtonProps, "component"> & LinkAttributes) => (
  <Button component="a" {...props} />
));
export const TextLink = createLink((props: AnchorProps & LinkAttributes) => <Anchor {...props} />);
export const PlaceLink = createLink((props: NavLinkProps & LinkAttributes) => <NavLink {...props} />);
