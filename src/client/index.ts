/**
 * `docmill/client`: the API of a Docmill server as typed methods, for browsers and Node.js.
 *
 * @example
 * import { createClient } from "docmill/client";
 *
 * const client = createClient({ url: "http://127.0.0.1:3001" });
 * const { items } = await client.searchDocuments({ q: "payment terms" });
 */
export { type ApiErrorFacts, DocmillApiError } from "./api-error.ts";
export type { CallOptions, CreateOptions, Input, News, Result, WatchedEvent, WatchOptions } from "./client-methods.ts";
export { type ClientOptions, createClient, type DocmillClient } from "./create-client.ts";
