/** The heat sheets that will be sent: files and addresses, each once, in the order they were chosen. */

export type ChosenSheet = { id: string; name: string } & ({ file: File } | { url: string });

export function ofFile(file: File): ChosenSheet {
  return { id: `file ${file.name} ${file.size} ${file.lastModified}`, name: file.name, file };
}

/** An address leads to the same file whatever its fragment. */
export function ofUrl(address: string, title?: string): ChosenSheet {
  const url = new URL(address);
  url.hash = "";
  return { id: `url ${url.href}`, name: title ?? nameOf(url), url: url.href };
}

export function addSheets(chosen: readonly ChosenSheet[], more: readonly ChosenSheet[]): ChosenSheet[] {
  return [...new Map([...chosen, ...more].map((sheet) => [sheet.id, sheet])).values()];
}

export function filesOf(sheets: readonly ChosenSheet[]): File[] {
  return sheets.flatMap((sheet) => ("file" in sheet ? sheet.file : []));
}

export function urlsOf(sheets: readonly ChosenSheet[]): string[] {
  return sheets.flatMap((sheet) => ("url" in sheet ? sheet.url : []));
}

/** Phones often do not know the type of a file. */
export function looksLikePdf({ name, type }: File): boolean {
  return type === "application/pdf" || /\.pdf$/i.test(name);
}

/** Addresses, one a line; those that are none are told apart. */
export function readAddresses(text: string): { addresses: string[]; refused: string[] } {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const isAddress = (line: string) => {
    const url = URL.parse(line);
    return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
  };
  return { addresses: lines.filter(isAddress), refused: lines.filter((line) => !isAddress(line)) };
}

function nameOf({ pathname, hostname }: URL): string {
  const last = pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last) || hostname;
  } catch {
    return last;
  }
}
