/** The text of a made-up textbook of any length: a table of contents, then chapters with sections of two to four pages. */
import { seededRandom } from "../documents/random.ts";
import { openTextSource } from "../documents/synthetic-text.ts";

const sectionsPerChapter = 4;
const fewestPages = 2;
const pagesMore = 3;
const paragraphsPerPage = 3;
const wordsPerParagraph = 70;
const pagesBefore = 1;

interface Section {
  chapter: number;
  section: number;
  title: string;
  /** In the scans, from 1. */
  page: number;
  pages: number;
}

export function makeTextbook(count: number): string[] {
  const random = seededRandom(7);
  const source = openTextSource(random);
  const titleOf = (topic: number) => capitalise(source.write(random, topic, 2));
  const sections: Section[] = [];
  for (let page = pagesBefore + 1, place = 0; page <= count; place++) {
    const chapter = Math.floor(place / sectionsPerChapter) + 1;
    const section = (place % sectionsPerChapter) + 1;
    const pages = Math.min(count - page + 1, fewestPages + Math.floor(random.next() * pagesMore));
    sections.push({ chapter, section, title: titleOf(place), page, pages });
    page += pages;
  }
  const chapters = sections
    .filter(({ section }) => section === 1)
    .map(({ chapter, page }) => ({ chapter, page, title: titleOf(1_000 + chapter) }));

  const lines = sections.flatMap(({ chapter, section, title, page }) => {
    const entry = `${chapter}.${section} ${title} . . . . . . . . ${page}`;
    const opened = chapters.find((other) => section === 1 && other.chapter === chapter);
    return opened ? [`Chapter ${chapter} ${opened.title} ........ ${page}`, entry] : [entry];
  });
  const written = [`Contents\n\n${lines.join("\n")}`];
  for (const [topic, { chapter, section, title, pages }] of sections.entries()) {
    for (let page = 0; page < pages; page++) {
      const opened = chapters.find((other) => page === 0 && section === 1 && other.chapter === chapter);
      const paragraphs = Array.from({ length: paragraphsPerPage }, () =>
        sentences(source.write(random, topic, wordsPerParagraph)),
      );
      const [term = "word"] = title.split(" ");
      const parts = [
        ...(opened ? [`CHAPTER ${chapter}\n\n${opened.title.toUpperCase()}`] : []),
        ...(page === 0 ? [`${chapter}.${section} ${title}`] : []),
        ...paragraphs,
        `A ${term.toLowerCase()} is a thing that is ${source.write(random, topic, 8)}.`,
        ...(page === pages - 1
          ? [`Exercise ${chapter}.${section}\n\n1. What is a ${term}?\n2. Name two of them.`]
          : []),
        String(written.length + 1),
      ];
      written.push(parts.join("\n\n"));
    }
  }
  return written;
}

function sentences(text: string): string {
  return text.split(". ").map(capitalise).join(". ");
}

function capitalise(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
