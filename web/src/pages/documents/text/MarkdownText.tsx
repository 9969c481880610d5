/**
 * Markdown as it is read. Raw HTML stays text, pictures are named instead of fetched, and only links that lead out are
 * links. Headings are two levels lower than they say: the page has its own above them.
 */
import { Anchor, Text, Typography } from "@mantine/core";
import { memo, type ReactNode } from "react";
import Markdown, { type Components, type Options } from "react-markdown";
import remarkGfm from "remark-gfm";
import { isTooTangled } from "./is-too-tangled.ts";
import classes from "./MarkdownText.module.css";
import { type MarkOptions, markPassage } from "./mark-passage.ts";

export interface MarkdownTextProps extends Omit<MarkOptions, "source"> {
  markdown: string;
}

export const MarkdownText = memo(function MarkdownText({ markdown, base, passage, isSearched }: MarkdownTextProps) {
  if (isTooTangled(markdown)) return <Text className={classes.plain}>{markdown}</Text>;
  const marking: MarkOptions = { source: markdown, base, passage, isSearched };
  const rehypePlugins: Options["rehypePlugins"] = [[markPassage, marking]];
  return (
    <Typography className={classes.text}>
      <Markdown remarkPlugins={[remarkGfm]} rehypePlugins={rehypePlugins} components={components}>
        {markdown}
      </Markdown>
    </Typography>
  );
});

const components: Components = {
  h1: lowered("h3"),
  h2: lowered("h4"),
  h3: lowered("h5"),
  h4: lowered("h6"),
  h5: lowered("h6"),
  a: ({ href, children }) =>
    /^(https?:|mailto:)/i.test(href ?? "") ? (
      <Anchor href={href} target="_blank" rel="noreferrer" inherit>
        {children}
      </Anchor>
    ) : (
      children
    ),
  img: ({ alt }) => (
    <Text span inherit c="dimmed">
      [{alt ? `Picture: ${alt}` : "Picture"}]
    </Text>
  ),
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="scroll-x" tabIndex={0} aria-label="Table">
      <table>{children}</table>
    </section>
  ),
};

type LoweredHeading = "h3" | "h4" | "h5" | "h6";

function lowered(Heading: LoweredHeading) {
  return ({ node, children }: { node?: { properties: Record<string, unknown> }; children?: ReactNode }) => (
    <Heading data-offset={node?.properties.dataOffset as number | undefined}>{children}</Heading>
  );
}
