/** Whether the client has it already: `If-None-Match` is `*`, or a list of tags, weak or not, with this one. */
export function isKnown(header: string | undefined, etag: string): boolean {
  const tags = (header ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.some((tag) => tag === etag || tag === "*");
}
