/** The tabs of a document, as its address names them. */
export const documentTabs = ["text", "passages", "extracted", "connections", "jobs"] as const;
export type DocumentTab = (typeof documentTabs)[number];

export const tabLabels: Record<DocumentTab, string> = {
  text: "Text",
  passages: "Passages",
  extracted: "Fields and tables",
  connections: "Connections",
  jobs: "Jobs",
};

/** The first, where the address names none that there is. */
export function tabOf(name: string | undefined): DocumentTab {
  return documentTabs.find((tab) => tab === name) ?? "text";
}
