/** How everything looks: one accent, calm greys, and colours of states that can be read in both themes. */
import {
  ActionIcon,
  Badge,
  Button,
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  Notification,
  Tooltip,
} from "@mantine/core";

/** The accent: a slate blue, from a tint for backgrounds to ink. */
const mill: MantineColorsTuple = [
  "#eff4fb",
  "#dde7f4",
  "#b9cde8",
  "#91b1dc",
  "#7099d2",
  "#5486c8",
  "#3b70b6",
  "#2d5d9f",
  "#244c84",
  "#1a3a67",
];

export const theme = createTheme({
  colors: { mill },
  primaryColor: "mill",
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  headings: { fontWeight: "600" },
  components: {
    Badge: Badge.extend({ defaultProps: { variant: "light", radius: "sm", tt: "none", fw: 500 } }),
    Button: Button.extend({ defaultProps: { size: "sm" } }),
    ActionIcon: ActionIcon.extend({ defaultProps: { variant: "subtle" } }),
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { "aria-label": "Dismiss" } } }),
    Tooltip: Tooltip.extend({ defaultProps: { withArrow: true, openDelay: 300 } }),
  },
});

/** Mantine's dimmed text is too pale for small sizes: these have a contrast of at least 4.5 on every surface in use. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "#5a6470",
    "--mantine-color-placeholder": "#6b7480",
    "--mantine-color-error": "var(--mantine-color-red-8)",
    "--mantine-color-green-light-color": "#237032",
    "--mantine-color-yellow-light-color": "#7a5200",
    "--mantine-color-red-light-color": "#b32424",
    "--mantine-color-default-border": "#dde2e8",
    "--docmill-canvas": "#f6f7f9",
    "--docmill-mark": "#ffec99",
  },
  dark: {
    "--mantine-color-dimmed": "#a9b2bd",
    "--mantine-color-placeholder": "#8d96a1",
    "--mantine-color-error": "var(--mantine-color-red-4)",
    "--mantine-color-text": "#d6dae0",
    "--mantine-color-body": "#1e2126",
    "--mantine-color-default-border": "#363b43",
    "--docmill-canvas": "#16181c",
    "--docmill-mark": "#6d5a0f",
  },
});
