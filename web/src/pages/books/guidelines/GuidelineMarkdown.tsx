/** Markdown of a guideline. Headings stand below that of the subtopic; pages it quotes are links to them. */
import { Title, Typography } from "@mantine/core";
import type { ReactNode } from "react";
import Markdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { TextLink } from "../../../parts/ButtonLink.tsx";
import styles from "./GuidelineMarkdown.module.css";

const heading = ({ children }: { children?: ReactNode }) => (
  <Title order={5} size="sm" mt="md" mb={4}>
    {children}
  </Title>
);

export function GuidelineMarkdown({ bookId, text }: { bookId: string; text: string }) {
  const components: Components = {
    h1: heading,
    h2: heading,
    h3: heading,
    h4: heading,
    h5: heading,
    h6: heading,
    // Pictures of other servers would tell them who reads this.
    img: ({ alt }) => alt,
    a: ({ href = "", children }) => {
      const [, page] = /^#page-(\d+)$/.exec(href) ?? [];
      if (page === undefined) return <a href={href}>{children}</a>;
      return (
        <TextLink to="/books/$bookId" params={{ bookId }} search={{ page: Number(page) }} inherit>
          {children}
        </TextLink>
      );
    },
  };
  return (
    <Typography className={styles.guideline}>
      <Markdown remarkPlugins={[remarkGfm]} components={components}>
        {linkPages(text)}
      </Markdown>
    </Typography>
  );
}

/** "(p. 7)" becomes a link to page 7. */
function linkPages(text: string): string {
  return text.replace(/\(p\. (\d+)\)/g, "([p. $1](#page-$1))");
}
