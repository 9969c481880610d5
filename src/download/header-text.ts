/** Node reads headers as Latin-1, but most servers that send more than ASCII mean UTF-8. */
export function toHeaderText(header: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(header, "latin1"));
  } catch {
    return header;
  }
}
