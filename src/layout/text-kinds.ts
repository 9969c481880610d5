/** What the words of a block say about its kind. */

const captionStart =
  /^(fig(ure|\.)?|table|tab\.|abb(ildung|\.)|tabelle|tableau|figura|tabla|tabela|listing|algorithm|chart|exhibit|plate|scheme|box|图|表|圖)\s*[\dIVXLA-Z]{0,5}([.-]?\d+)*[.:|–—-]?(\s|$)/i;
const strictCaption = /^\p{L}+\.?\s*[\dIVXLA-Z]*([.-]?\d+)*\s*[.:|–—]/u;

/** Standing above or below what it names, in its own face, or with the sign that ends a label: not "Table 1 shows". */
export function isCaption(text: string, differs: boolean): boolean {
  if (!captionStart.test(text) || !/^\D{0,14}[\dIVXA-Z]/.test(text) || text.length > 1200) return false;
  return differs ? !/^\S+ \S+ (shows?|lists?|gives?|is|are|and|summari[sz]es)\b/.test(text) : strictCaption.test(text);
}

const footnoteStart = /^([*†‡§¶∗⁎#]{1,3}|\d{1,3}|[a-z])(\s|(?=\p{Lu}))/u;
const raised = /^[¹²³⁰-⁹]/;

export function startsLikeFootnote(text: string): boolean {
  return footnoteStart.test(text) || raised.test(text);
}

const sectionNumber = /^(\d{1,2}(\.\d{1,3}){0,5}\.?|[IVXL]{1,6}\.|[A-Z](\.\d{1,2})+\.?|[A-Z]\.)\s+\S/;
const chapterWord = /^(chapter|part|section|appendix|annex|article|kapitel|teil|anhang|chapitre|capítulo|abstract)\b/i;

/** How deep the number of a heading says it is: 2.1.3 is 3; undefined where there is none. */
export function numberedDepth(text: string): number | undefined {
  const number =
    /^(\d{1,2}(?:\.\d{1,3}){0,5})\.?\s+\p{L}/u.exec(text)?.[1] ?? /^([A-Z](?:\.\d{1,2})+)\.?\s+\p{L}/u.exec(text)?.[1];
  return number?.split(".").length;
}

export function looksNumbered(text: string): boolean {
  return sectionNumber.test(text) || chapterWord.test(text);
}

/** Whether a text may be a heading at all, whatever its face. */
export function mayBeHeading(text: string): boolean {
  if (text.length > 220 || text.length < 2 || !/\p{L}{2}|^\p{L}$/u.test(text)) return false;
  if (/[,;]$/.test(text) || (text.match(/,/g)?.length ?? 0) >= 5) return false;
  if (/[.:]$/.test(text)) return text.length < 90 && !/[.!?] \p{Lu}/u.test(text);
  return true;
}
