/** A passage as statements: the content words of each sentence, roughly stemmed, and which way it points. */
import { negations } from "./opposites.ts";

export interface Statement {
  sentence: string;
  /** Content words without negations. */
  words: ReadonlySet<string>;
  negated: boolean;
}

/** Shorter ones say too little to be contradicted, longer ones say too much at once. */
const fewestWords = 4;
const mostWords = 40;
const mostStatements = 60;

const sentences = new Intl.Segmenter("en", { granularity: "sentence" });

export function readStatements(text: string): Statement[] {
  const plain = text.replace(/^#+\s.*$/gm, "").replace(/[*_`>|]/g, " ");
  const statements: Statement[] = [];
  for (const { segment } of sentences.segment(plain)) {
    const sentence = segment.replace(/\s+/g, " ").trim();
    const words = (sentence.toLowerCase().match(/[\p{L}]+(?:['’][\p{L}]+)?/gu) ?? []).flatMap(split).map(stem);
    const content = words.filter((word) => !functionWords.has(word) && !negations.has(word));
    if (content.length < fewestWords || content.length > mostWords) continue;
    const negated = words.filter((word) => negations.has(word)).length % 2 === 1;
    statements.push({ sentence, words: new Set(content), negated });
    if (statements.length === mostStatements) break;
  }
  return statements;
}

/** "isn't" is "is not"; "can't" is "can not". */
function split(word: string): string[] {
  const negation = /^(.+?)n['’]t$/.exec(word);
  return negation ? [negation[1] as string, "not"] : [word.replace(/['’].*$/, "")];
}

/** Enough to make "increases", "increased" and "increasing" the same word. */
function stem(word: string): string {
  if (word.length > 5 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  for (const ending of ["ing", "ed", "es", "s"]) {
    if (!word.endsWith(ending) || word.length - ending.length < 4) continue;
    if (ending === "s" && word.endsWith("ss")) continue;
    const cut = word.slice(0, -ending.length);
    return needsE(cut, ending) ? `${cut}e` : cut;
  }
  return word;
}

/** "increas-ing" lost its e, "allow-ing" had none. */
function needsE(cut: string, ending: string): boolean {
  if (ending === "s") return false;
  return (
    /(?:as|is|us|at|it|ut|ov|iv|bl|dg|rg|rs|ns|nc|rc|in|ir|ar|or|ur|in|ud|id|ol)$/.test(cut) &&
    !/(?:ain|oin|ear|air|eat|eit)$/.test(cut)
  );
}

const functionWords: ReadonlySet<string> = new Set(
  (
    "a an the this that these those it its he she they them we you i his her their our your is are was were be been being " +
    "am do does did done have has had will would shall should can could may might must of in on at to from by for with as " +
    "into onto over under about between through during and or but if then than so because while when where which who whom " +
    "whose what how there here also very just only such some any each every other another same own both many much one two"
  ).split(" "),
);
