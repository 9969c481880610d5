/**
 * Takes out what surrounds the content of a web page: navigation, banners, footers, forms. It errs on the side of keeping:
 * if what is left would be little of the page, nothing is taken out.
 */
import {
  attribute,
  copyNodes,
  findElements,
  type HtmlElement,
  type HtmlParent,
  isElement,
  kindsOf,
  plainText,
  replaceElements,
} from "./html-tree.ts";

const surroundings = new Set(["nav", "footer", "form", "menu"]);
const surroundingRoles = new Set([
  "navigation",
  "banner",
  "contentinfo",
  "search",
  "complementary",
  "alertdialog",
  "dialog",
  "menu",
  "menubar",
]);
const surroundingNames =
  /(?:^|[\s_-])(?:cookie|consent|gdpr|breadcrumbs?|navbar|site-?nav|sidebar|site-?footer|share-?buttons?|social-?(?:links|share)|skip-?(?:link|to-content)|newsletter|advert(?:isement)?)(?:$|[\s_-])/i;
/** Of the page's text that must remain. */
const enough = 0.25;

export function removeBoilerplate(body: HtmlParent): void {
  const whole = body.children;
  const size = plainText(body).length;
  body.children = copyNodes(whole);
  const main = findMain(body);
  if (main && plainText(main).length >= size * enough) body.children = [main];
  replaceElements(body, (part) => (isSurrounding(part) ? [] : undefined));
  if (plainText(body).length < size * enough) body.children = whole;
}

function findMain(body: HtmlParent): HtmlElement | undefined {
  const mains = findElements(body, (part) => part.tagName === "main" || kindsOf(part).includes("main"));
  if (mains.length === 1) return mains[0];
  const articles = findElements(body, (part) => part.tagName === "article");
  return mains.length === 0 && articles.length === 1 ? articles[0] : undefined;
}

function isSurrounding(part: HtmlElement): boolean {
  if (surroundings.has(part.tagName)) return !isContent(part);
  // A header inside an article holds its title; one of the page holds its menu.
  if (part.tagName === "header") return !findElements(part, (inner) => /^h[1-6]$/.test(inner.tagName)).length;
  if (kindsOf(part).some((kind) => surroundingRoles.has(kind))) return true;
  if (!["div", "section", "aside", "ul", "p", "a", "span"].includes(part.tagName)) return false;
  return (
    surroundingNames.test(`${attribute(part, "id") ?? ""} ${attribute(part, "className") ?? ""}`) && !isContent(part)
  );
}

/** A page wrapped in a form, or a "sidebar" that is the text: long paragraphs, not links. */
function isContent(part: HtmlElement): boolean {
  const paragraphs = findElements(part, (inner) => isElement(inner, "p", "pre", "table"));
  return paragraphs.reduce((sum, paragraph) => sum + plainText(paragraph).length, 0) > 2000;
}
