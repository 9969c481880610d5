/** Going through a page as somebody does who has only a keyboard. */
import type { Locator, Page } from "playwright-core";

const mostSteps = 120;

/** Presses Tab until the element has the focus. */
export async function tabTo(page: Page, element: Locator): Promise<void> {
  await element.waitFor();
  for (let steps = 0; steps < mostSteps; steps++) {
    await page.keyboard.press("Tab");
    if (await element.evaluate((node) => node.ownerDocument.activeElement === node)) return;
  }
  throw new Error(`${element} cannot be reached by Tab`);
}
