/** Where somebody is led after signing in: a path of this server, whatever the address of the sign-in page says. */
const home = "/";
const origin = "http://here.invalid";

export function safePath(wanted: string | undefined): string {
  if (wanted === undefined || !wanted.startsWith("/") || !URL.canParse(wanted, origin)) return home;
  // Browsers read "//there", "/\there" and "/<tab>/there" as another host.
  const { origin: leadsTo, pathname, search, hash } = new URL(wanted, origin);
  if (leadsTo !== origin || pathname.startsWith("//") || pathname === "/sign-in") return home;
  return pathname + search + hash;
}
