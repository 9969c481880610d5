/** Markdown as a reader sees it: what its signs mean is gone, what they stand around is left. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/!\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\[([^\]]*)\]\([^)\s]*(?:\s"[^"]*")?\)/g, "$1")
    .replace(/(?<!\\)<\/?(?:a|b|br|code|em|i|img|p|span|strong|sub|sup|u)(?:\s[^<>\n]*)?\/?>/gi, " ")
    .replace(/<!--.*?-->/gs, " ")
    .replace(/^\s*```.*$/gm, "")
    .replace(/^\s*\|?[\s:|-]*-{3,}[\s:|-]*$/gm, "")
    .replace(/(?<!\\)\|/g, " ")
    .replace(/^#{1,6}\s+/gm, "")
    .replace(/^(\s*)[-+*]\s+/gm, "$1• ")
    .replace(/\\([\\`*_{}[\]()#+\-.!|<>~$&])/g, "$1")
    .replace(/(\*\*|__|\*|~~)(?=\S)(.*?)(?<=\S)\1/g, "$2")
    .replace(/&nbsp;/g, " ")
    .replace(/&amp;/g, "&")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">");
}

/** The headings of a markdown text, without their signs. */
export function headingsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)].map(([, text]) => plainText(text ?? ""));
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length;
}
