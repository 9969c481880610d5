/**
 * Whether text is so nested, or has words so long, that showing it as markdown would take the page's stack or its time: the
 * parser goes as deep as lists do, and looks for links within a word again and again. Nobody writes so; files made to do harm
 * do.
 */
const nestedMarkers = /^(?:[ \t]*(?:[-*+>]|\d{1,9}[.)])(?=[ \t>]|$)){60,}/m;
const deepIndentation = /^[ \t]{400,}\S/m;
const longWord = /\S{5000,}/;

export function isTooTangled(markdown: string): boolean {
  return nestedMarkers.test(markdown) || deepIndentation.test(markdown) || longWord.test(markdown);
}
