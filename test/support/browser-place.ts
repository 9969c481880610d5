/** The whole product with a real browser in front of it: a server of its own, and tabs at its pages. */
import { openTab, type Tab, type TabOptions } from "./browser.ts";
import { launchChromium } from "./chromium.ts";
import { openServedPlace, type ServedPlace } from "./served-place.ts";

export interface BrowserPlace extends ServedPlace {
  /** A tab at a path of the server, in a browser profile of its own. */
  openTab(path: string, options?: TabOptions): Promise<Tab>;
}

/** Settings are for all processes of the place. */
export async function openBrowserPlace(env?: Record<string, string>): Promise<BrowserPlace> {
  await using opening = new AsyncDisposableStack();
  const browser = await launchChromium();
  opening.defer(() => browser.close());
  const served = await openServedPlace(env);
  opening.use(served);
  const opened = opening.move();
  const close = () => opened.disposeAsync();
  return {
    ...served,
    openTab: (path, options) => openTab(browser, served.url + path, options),
    close,
    [Symbol.asyncDispose]: close,
  };
}
