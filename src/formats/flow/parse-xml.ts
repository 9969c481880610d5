/**
 * XML of packages and directories as plain objects: without namespace prefixes, every element a list, attributes under
 * "@". Entities a document declares itself are not expanded, and nesting is bounded.
 */
import { XMLParser } from "fast-xml-parser";
import { decodeText } from "./decode-text.ts";
import { corruptFile } from "./flow-document.ts";
import { prepareMarkup } from "./prepare-markup.ts";

export interface XmlElement {
  "@"?: Record<string, string>;
  "#text"?: string;
  [child: string]: XmlElement[] | Record<string, string> | string | undefined;
}

const parser = new XMLParser({
  removeNSPrefix: true,
  ignoreAttributes: false,
  attributesGroupName: "@",
  attributeNamePrefix: "",
  alwaysCreateTextNode: true,
  parseTagValue: false,
  parseAttributeValue: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  htmlEntities: true,
  isArray: (name, _path, _leaf, attribute) => !attribute && name !== "#text",
});

export function parseXml(bytes: Uint8Array, name: string): XmlElement {
  // It takes out the document type, and with it every entity that could be made to grow.
  const text = prepareMarkup(decodeText(bytes, { declared: "markup" }), { syntax: "xml", maxDepth: 200 });
  try {
    return parser.parse(text) as XmlElement;
  } catch (error) {
    throw corruptFile(`${JSON.stringify(name)} is no well-formed XML.`, error);
  }
}

export function childrenOf(element: XmlElement | undefined, name: string): XmlElement[] {
  const children = element?.[name];
  return Array.isArray(children) ? children : [];
}

export function firstChild(element: XmlElement | undefined, ...names: string[]): XmlElement | undefined {
  return names.reduce<XmlElement | undefined>((current, name) => childrenOf(current, name)[0], element);
}

export function attributeOf(element: XmlElement | undefined, name: string): string | undefined {
  const value = element?.["@"]?.[name];
  return typeof value === "string" ? value : undefined;
}

/** Its own text, white space collapsed. */
export function textOf(element: XmlElement | undefined): string {
  return (element?.["#text"] ?? "").replace(/\s+/g, " ").trim();
}
