/** Which addresses are those of PDF files, going by the address alone. */

const namesPdf = /\.pdf(?![a-z0-9])/i;
const viewer = /(?:^|\/)g?view(?:er)?(?:ng|\.html|\.php)?$/i;
const viewerParameters = ["url", "file", "src"];

/**
 * The address without its fragment, if its path or query names a PDF (or the link `saysPdf`); of a page that only shows
 * one, the address of what it shows.
 */
export function toPdfUrl(address: string, baseUrl: string, saysPdf = false): string | undefined {
  const url = parse(address, baseUrl);
  if (!url) return undefined;
  if (viewer.test(url.pathname)) {
    for (const name of viewerParameters) {
      const shown = parse(url.searchParams.get(name), url.href);
      if (shown && isPdf(shown)) return shown.href;
    }
  }
  return saysPdf || isPdf(url) ? url.href : undefined;
}

export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function parse(address: string | null, baseUrl: string): URL | undefined {
  if (!address || !URL.canParse(address, baseUrl)) return undefined;
  const url = new URL(address, baseUrl);
  url.hash = "";
  return url.protocol === "http:" || url.protocol === "https:" ? url : undefined;
}

function isPdf({ pathname, search }: URL): boolean {
  return namesPdf.test(decodePercent(pathname)) || namesPdf.test(decodePercent(search));
}
