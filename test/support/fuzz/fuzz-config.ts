/** A config file with pipelines that take whatever they are given. */
import { docmill, pipeline, z } from "docmill";

const anything = pipeline("anything", { input: z.unknown() }).stage("keep", () => null);

const locked = pipeline("locked", {
  input: z.object({ name: z.string() }).loose(),
  lockKey: ({ name }) => `lock:${name}`,
}).stage("keep", ({ input }) => input);

export default docmill({ pipelines: [anything, locked] });
