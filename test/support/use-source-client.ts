/** Lets an example import `docmill/client` from the source, as it is: `node --import` this file. */
import { registerHooks } from "node:module";

const source = new URL("../../src/client/index.ts", import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) => next(specifier === "docmill/client" ? source : specifier, context),
});
