/** How deep the elements of an XML text nest, counted without building anything. */
export function measureDepth(markup: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = markup.indexOf("<"); at >= 0; ) {
    const next = markup.charCodeAt(at + 1);
    const end = markup.indexOf(">", at);
    if (end < 0) break;
    if (next === 0x2f) depth--;
    else if (next !== 0x21 && next !== 0x3f && markup.charCodeAt(end - 1) !== 0x2f) {
      depth++;
      if (depth > deepest) deepest = depth;
    }
    at = markup.indexOf("<", end);
  }
  return deepest;
}
