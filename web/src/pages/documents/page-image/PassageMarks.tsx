/** The passage and the words searched for, marked on the picture of a page. */
import { useMemo } from "react";
import type { PageWords } from "../../../../../src/contract/documents.ts";
import type { PassageRange } from "../text/mark-passage.ts";
import { readWords } from "../text/search-words.ts";
import { type Box, joinLines, placeBox } from "./boxes.ts";
import { findPassageWords } from "./find-passage-words.ts";
import classes from "./PageImage.module.css";

export interface PassageMarksProps {
  words: PageWords;
  /** The page's markdown, and the passage by its offsets in it. */
  pageText: string;
  passage?: PassageRange;
  isSearched?(word: string): boolean;
}

export function PassageMarks({ words: page, pageText, passage, isSearched }: PassageMarksProps) {
  const { words } = page;
  const lines = useMemo(() => {
    if (!passage) return [];
    const found = findPassageWords(pageText, passage, words);
    return joinLines(found.flatMap((index) => words[index]?.box ?? []));
  }, [pageText, passage, words]);
  const searched = useMemo(
    () =>
      isSearched
        ? words.filter(({ text }) => readWords(text).some(({ word }) => isSearched(word))).map(({ box }) => box)
        : [],
    [words, isSearched],
  );
  return (
    <div aria-hidden>
      <Boxes boxes={lines} page={page} className={classes.passage} />
      <Boxes boxes={searched} page={page} className={classes.word} />
    </div>
  );
}

function Boxes({ boxes, page, className }: { boxes: readonly Box[]; page: PageWords; className: string | undefined }) {
  return boxes.map((box, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: boxes have no identity, and are drawn anew together.
    <span key={index} className={className} style={{ ...placeBox(box, page, 1) }} />
  ));
}
