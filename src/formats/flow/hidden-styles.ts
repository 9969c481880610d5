/** Which elements a style sheet hides, as far as it says so plainly: rules for a class or an id, outside of any condition. */
import { attribute, findElements, type HtmlElement, type HtmlParent, plainText } from "./html-tree.ts";

type IsHidden = (element: HtmlElement) => boolean;

const hides = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;
const plainSelector = /^[a-z0-9]*([.#])([\w-]+)$/i;

/** `css` is that of the document `tree`. A sheet that hides most of a document is meant for a script that shows it again. */
export function findHidden(css: string, tree: HtmlParent): IsHidden {
  const isHidden = readHidden(css);
  const hiddenChars = findElements(tree, isHidden).reduce((sum, part) => sum + plainText(part).length, 0);
  return hiddenChars > plainText(tree).length / 2 ? () => false : isHidden;
}

/** The style sheets that stand in the document itself; few have more than a handful. */
export function inlineStyles(markup: string): string {
  const head = markup.slice(0, 500_000);
  let css = "";
  for (let at = head.search(/<style/i), left = 20; at >= 0 && left > 0; left--) {
    const from = head.indexOf(">", at) + 1;
    const length = head.slice(from).search(/<\/style/i);
    if (from === 0 || length < 0) break;
    css += `${head.slice(from, from + length)}\n`;
    const next = head.slice(from + length + 8).search(/<style/i);
    at = next < 0 ? -1 : from + length + 8 + next;
  }
  return css;
}

function readHidden(css: string): IsHidden {
  const classes = new Set<string>();
  const ids = new Set<string>();
  for (const { selectors, body } of plainRules(css.replace(/\/\*[\s\S]*?\*\//g, ""))) {
    if (!hides.test(body)) continue;
    for (const selector of selectors.split(",")) {
      const match = plainSelector.exec(selector.trim());
      if (match) (match[1] === "." ? classes : ids).add(match[2] as string);
    }
  }
  if (classes.size === 0 && ids.size === 0) return () => false;
  return (element) =>
    ids.has(attribute(element, "id") ?? "") ||
    (attribute(element, "className")
      ?.split(" ")
      .some((name) => classes.has(name)) ??
      false);
}

/** Rules within "@media" and the like hold in some cases only, and are left out. */
function* plainRules(css: string): Generator<{ selectors: string; body: string }> {
  let at = 0;
  for (let open = css.indexOf("{"); open >= 0; open = css.indexOf("{", at)) {
    const selectors = css.slice(at, open).replace(/^[\s\S]*;/, "");
    let depth = 1;
    let end = open + 1;
    for (; end < css.length && depth > 0; end++) depth += css[end] === "{" ? 1 : css[end] === "}" ? -1 : 0;
    if (!selectors.trim().startsWith("@")) yield { selectors, body: css.slice(open + 1, end - 1) };
    at = end;
  }
}
