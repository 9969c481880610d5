/**
 * Fetches the code of a page. What goes wrong is a PageNotFetchedError: browsers each say it in their own words, and the
 * router loads the window again on some of them at once, which shows nothing at all while the server is away.
 */
export class PageNotFetchedError extends Error {
  override readonly name = "PageNotFetchedError";
}

export function fetchPage<Module>(code: Promise<Module>): Promise<Module> {
  return code.catch((cause: unknown) => {
    throw new PageNotFetchedError("The code of this page could not be fetched from the server.", { cause });
  });
}
