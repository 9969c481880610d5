/** How much a file that flows may hold. Small files that unpack to giants are refused before they are unpacked. */
export interface FlowLimits {
  /** Of an HTML, Markdown or text file. */
  maxFileBytes: number;
  maxEntries: number;
  /** Of all entries of an archive together, unpacked. */
  maxUnpackedBytes: number;
  /** Of a single entry that is read, unpacked. */
  maxEntryBytes: number;
  /** Of all entries together that the text of an archive is read from, unpacked. */
  maxTextBytes: number;
  /** Unpacked to packed, of an entry larger than a megabyte. */
  maxRatio: number;
  /** Roughly how long a section of a large file becomes, in characters of its source. */
  sectionChars: number;
}

const defaultLimits: FlowLimits = {
  maxFileBytes: 64 * 2 ** 20,
  maxEntries: 20_000,
  maxUnpackedBytes: 2 * 2 ** 30,
  maxEntryBytes: 64 * 2 ** 20,
  maxTextBytes: 128 * 2 ** 20,
  maxRatio: 200,
  sectionChars: 200_000,
};

export function withDefaultLimits(limits: Partial<FlowLimits> = {}): FlowLimits {
  return { ...defaultLimits, ...limits };
}
