/** Multipart forms: some as a browser would send them, most broken in their boundary, their parts or their headers. */
import type { JsonSchema } from "./hostile-json.ts";
import { hostileText } from "./hostile-values.ts";
import type { Random } from "./random.ts";

export interface HostileForm {
  contentType: string;
  body: Buffer;
}

interface Part {
  headers: string[];
  content: Buffer;
}

const fileNames = [
  "a.pdf",
  "../../../../etc/passwd",
  "..\\..\\boot.ini",
  "/absolute/a.txt",
  "C:\\a.txt",
  "a\0.pdf",
  "\u202Etxt.exe",
  ".",
  "..",
  "",
  "con.txt",
  "%2e%2e%2fa.txt",
  "x".repeat(5_000),
  'quote".txt',
  "new\nline.txt",
  "e\u0301.txt",
];

export function hostileForm(random: Random, schema: JsonSchema, files: readonly Buffer[]): HostileForm {
  const boundary = random.pick(["b", "----WebKitFormBoundaryx", "x".repeat(70)]);
  const parts = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    if (!schema.required?.includes(name) && random.chance(0.5)) return [];
    const isFile = property.format === "binary" || property.items?.format === "binary";
    return [isFile ? filePart(random, name, files) : fieldPart(name, fieldText(random, name))];
  });
  const form = { contentType: `multipart/form-data; boundary=${boundary}`, body: joinParts(parts, boundary) };
  return random.chance(0.3) ? form : spoil(random, form, parts, boundary, files);
}

function fieldText(random: Random, name: string): string {
  const usual: Record<string, string[]> = {
    swimmer: ["Zoë Fernwright", "Milo Thornquist"],
    urls: ["[]", '["http://127.0.0.1:1/a.pdf"]', "[1,null]", "{", "[".repeat(10_000)],
    options: ['{"ocr":"never"}', "{}", "{", '{"ocr":1}', "[".repeat(10_000)],
    notifyEmail: ["someone@example.org", "nobody"],
  };
  return random.chance(0.5) ? random.pick(usual[name] ?? ["words"]) : hostileText(random);
}

function filePart(random: Random, name: string, files: readonly Buffer[]): Part {
  const filename = random.chance(0.5) ? "a.pdf" : random.pick(fileNames);
  const type = random.pick(["application/pdf", "text/plain", "image/png", ";;;", "x".repeat(3_000)]);
  const content = random.chance(0.6) ? random.pick(files) : Buffer.from(hostileText(random));
  return {
    headers: [`Content-Disposition: form-data; name="${name}"; filename="${filename}"`, `Content-Type: ${type}`],
    content,
  };
}

function fieldPart(name: string, text: string): Part {
  return { headers: [`Content-Disposition: form-data; name="${name}"`], content: Buffer.from(text) };
}

function joinParts(parts: readonly Part[], boundary: string): Buffer {
  const written = parts.flatMap(({ headers, content }) => [
    Buffer.from(`--${boundary}\r\n${headers.join("\r\n")}\r\n\r\n`),
    content,
    Buffer.from("\r\n"),
  ]);
  return Buffer.concat([...written, Buffer.from(`--${boundary}--\r\n`)]);
}

function spoil(
  random: Random,
  { contentType, body }: HostileForm,
  parts: readonly Part[],
  boundary: string,
  files: readonly Buffer[],
): HostileForm {
  const of = (changed: readonly Part[]) => ({ contentType, body: joinParts(changed, boundary) });
  const many = (count: number, make: (n: number) => Part) => Array.from({ length: count }, (_, n) => make(n));
  const ways: (() => HostileForm)[] = [
    // No final boundary, cut anywhere, nothing at all.
    () => ({ contentType, body: body.subarray(0, -boundary.length - 6) }),
    () => ({ contentType, body: body.subarray(0, random.between(0, body.length)) }),
    () => ({ contentType, body: Buffer.alloc(0) }),
    () => ({ contentType, body: Buffer.from(`--${boundary}--`) }),
    // Another boundary than was said, none, an empty or an endless one.
    () => ({ contentType: "multipart/form-data; boundary=other", body }),
    () => ({ contentType: "multipart/form-data", body }),
    () => ({ contentType: "multipart/form-data; boundary=", body }),
    () => ({ contentType: `multipart/form-data; boundary="${"b".repeat(2_000)}"`, body }),
    () => ({ contentType: "multipart/form-data; boundary=--", body }),
    () => ({ contentType: `multipart/mixed; boundary=${boundary}`, body }),
    () => ({ contentType: `${contentType}; charset=utf-7`, body }),
    // Parts without a name, with two, with odd headers, far too many, one in another.
    () => of([...parts, { headers: ["Content-Disposition: form-data"], content: Buffer.from("x") }]),
    () => of([...parts, { headers: ["Content-Type: text/plain"], content: Buffer.from("x") }]),
    () => of([...parts, { headers: [], content: Buffer.from("x") }]),
    () => of([...parts, { headers: ['Content-Disposition: attachment; name="file"'], content: Buffer.from("x") }]),
    () =>
      of([
        ...parts,
        { headers: ["Content-Disposition: form-data; name*=utf-8''%ff; filename*=x'y'%zz"], content: Buffer.from("x") },
      ]),
    () => of([...parts, { headers: ['Content-Disposition: form-data; name="file'], content: Buffer.from("x") }]),
    () => of([...parts, { headers: [`X: ${"y".repeat(100_000)}`], content: Buffer.from("x") }]),
    () =>
      of([
        ...parts,
        {
          headers: many(500, (n) => fieldPart(`h${n}`, "")).flatMap(({ headers }) => headers),
          content: Buffer.alloc(1),
        },
      ]),
    () => of(many(3_000, (n) => fieldPart(`field${n}`, "x"))),
    () =>
      of(
        many(1_200, () => ({
          headers: ['Content-Disposition: form-data; name="images"; filename=""'],
          content: Buffer.alloc(0),
        })),
      ),
    () => of([...parts, ...parts, ...parts]),
    () =>
      of([
        ...parts,
        {
          headers: ['Content-Disposition: form-data; name="file"', "Content-Type: multipart/mixed; boundary=inner"],
          content: joinParts(parts, "inner"),
        },
      ]),
    () =>
      of([
        ...parts,
        {
          headers: ['Content-Disposition: form-data; name="file"; filename="a"', "Content-Transfer-Encoding: base64"],
          content: random.pick(files),
        },
      ]),
    () => of([...parts, fieldPart("__proto__", "x"), fieldPart("constructor", "y"), fieldPart("", "z")]),
    () => of([...parts, fieldPart("title", "x".repeat(70_000))]),
    () => of([...parts, fieldPart("n".repeat(300), "x")]),
    () =>
      of(parts.map((part) => ({ ...part, content: Buffer.concat([part.content, Buffer.from(`\r\n--${boundary}`)]) }))),
    () => ({ contentType, body: Buffer.from(body.toString("latin1").replaceAll("\r\n", "\n"), "latin1") }),
    () => ({ contentType, body: Buffer.concat([Buffer.from("preamble\r\n".repeat(2_000)), body, body]) }),
  ];
  return random.pick(ways)();
}
