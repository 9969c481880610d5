/**
 * The name a server gives to a file, from Content-Disposition or else from the URL's path. It is data to show, never a
 * path: without folders, control characters and characters that turn the direction of writing.
 */
import { toHeaderText } from "./header-text.ts";

const maxLength = 200;

export function toFileName(disposition: string | undefined, url: URL): string | undefined {
  return cleanName(fromDisposition(disposition)) ?? cleanName(decodePercent(url.pathname, "utf-8"));
}

/** RFC 6266: `filename*` comes first, whatever the order. */
function fromDisposition(header: string | undefined): string | undefined {
  if (!header) return undefined;
  const extended = /;\s*filename\*\s*=\s*([\w-]+)'[^']*'([^;\s]+)/i.exec(header);
  const decoded = extended?.[1] && extended[2] ? decodePercent(extended[2], extended[1]) : undefined;
  if (decoded) return decoded;
  const [, quoted, bare] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;"]+))/i.exec(header) ?? [];
  const name = quoted?.replace(/\\(.)/g, "$1") ?? bare?.trim();
  if (name === undefined) return undefined;
  const text = toHeaderText(name);
  // Not by any standard, but common.
  return /%[0-9a-f]{2}/i.test(text) ? (decodePercent(text, "utf-8") ?? text) : text;
}

function decodePercent(text: string, charset: string): string | undefined {
  try {
    const bytes = text.replace(/%([0-9a-f]{2})|./gisu, (found, hex: string | undefined) =>
      hex ? String.fromCharCode(Number.parseInt(hex, 16)) : Buffer.from(found).toString("latin1"),
    );
    return new TextDecoder(charset, { fatal: true }).decode(Buffer.from(bytes, "latin1"));
  } catch {
    return undefined;
  }
}

function cleanName(raw: string | undefined): string | undefined {
  const last = raw?.split(/[/\\]/).at(-1) ?? "";
  const name = last
    .normalize("NFC")
    // Control and format characters, lone surrogates, line separators.
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "")
    .trim()
    .replace(/^\.+/, "");
  if (!name) return undefined;
  const characters = [...name];
  if (characters.length <= maxLength) return name;
  // The ending says what the file is; the rest may be cut.
  const ending = /\.[^.]{1,10}$/u.exec(name)?.[0] ?? "";
  return characters.slice(0, maxLength - [...ending].length).join("") + ending;
}
