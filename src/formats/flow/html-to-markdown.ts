/** A cleaned HTML tree to markdown: the same tree gives the same text, and it reads well as plain text too. */
import rehypeRemark, { type Options as ToMarkdownOptions } from "rehype-remark";
import remarkGfm from "remark-gfm";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import { cleanText } from "./decode-text.ts";
import { attribute, type HtmlElement, type HtmlNode } from "./html-tree.ts";
import { type HeadingShift, type MarkdownNode, tidyMarkdownTree } from "./tidy-markdown-tree.ts";

type Handlers = NonNullable<ToMarkdownOptions["handlers"]>;
type State = Parameters<NonNullable<Handlers[string]>>[0];

const handlers: Handlers = {
  a(state: State, node: HtmlElement) {
    const note = attribute(node, "dataNote");
    if (note) return { type: "footnoteReference", identifier: note.toLowerCase(), label: note };
    const children = state.all(node) as never[];
    return { type: "link", url: attribute(node, "href") ?? "", title: null, children };
  },
  aside(state: State, node: HtmlElement) {
    const note = attribute(node, "dataNote");
    const children = state.toFlow(state.all(node));
    if (note) {
      return { type: "footnoteDefinition", identifier: note.toLowerCase(), label: note, children: children as never[] };
    }
    return children as never;
  },
};

const processor = unified()
  .use(rehypeRemark, { handlers })
  .use(remarkGfm, { tablePipeAlign: false, firstLineBlank: false })
  .use(leaveAddressesPlain)
  .use(remarkStringify, {
    bullet: "-",
    emphasis: "*",
    rule: "-",
    listItemIndent: "one",
    fences: true,
    handlers: { text: (node, _parent, state, info) => relaxBrackets(state.safe(node.value, info)) },
  })
  .freeze();

export function htmlToMarkdown(nodes: HtmlNode[], shift?: HeadingShift): string {
  const tree = processor.runSync({ type: "root", children: nodes } as never) as MarkdownNode;
  tidyMarkdownTree(tree, shift);
  return cleanText(processor.stringify(tree as never)).trim();
}

/** Brackets begin something only before "(", ":" or another bracket, or as a note or a check box: nothing here defines links. */
function relaxBrackets(markdown: string): string {
  return markdown.replace(/\\\[(?=[^\s^xX\][][^\][]*\](?![([:\\]))/g, "[");
}

/**
 * GFM makes links of bare addresses, so the writer would put a backslash into each that was none. That they might be
 * shown as links does no harm; "user\@example.org" in what is searched does.
 */
function leaveAddressesPlain(this: { data(): object }): void {
  interface Extension {
    unsafe?: { character: string }[];
    extensions?: Extension[];
  }
  const prune = (extension: Extension): void => {
    extension.extensions = extension.extensions?.filter(
      (inner) => !inner.unsafe?.some((pattern) => pattern.character === "@"),
    );
    extension.extensions?.forEach(prune);
  };
  (this.data() as { toMarkdownExtensions: Extension[] }).toMarkdownExtensions.forEach(prune);
}
