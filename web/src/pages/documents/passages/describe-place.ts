/** Where a passage stands, in words: its pages and the headings it is under. */
export interface PassagePlace {
  headingPath: readonly string[];
  page: number | null;
  pageTo?: number | null;
}

export function describePlace({ headingPath, page, pageTo }: PassagePlace): string {
  return [describePages(page, pageTo), headingPath.join(" › ")].filter((part) => part !== "").join(" · ");
}

function describePages(page: number | null, pageTo?: number | null): string {
  if (page === null) return "";
  return pageTo == null || pageTo === page ? `page ${page}` : `pages ${page}–${pageTo}`;
}
