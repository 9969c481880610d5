/**
 * Ages stand right of the names in a column of their own, with M or W before them in mixed events. A long name runs into
 * that column: then the age is glued to its end ("LW10") or woven into it ("AngeWlic7a1" is "Angelica" and "W71").
 */

/** Who may swim the event: a letter before the age is told from a middle initial by it. */
export type EventSex = "M" | "W" | "mixed";

export interface AgePart {
  /** What of the word belongs to the name. */
  name: string;
  sex: "M" | "W" | null;
  age: string;
}

const schoolYear = /^(?:FR|SO|JR|SR|GR)$/i;

/** A word that is an age or a school year and nothing else. */
export function readPlainAge(word: string, sex: EventSex, years: boolean): AgePart | null {
  if (years && schoolYear.test(word)) return { name: "", sex: null, age: word };
  const [, letter, age] = /^([MW])?(\d{1,3})$/.exec(word) ?? [];
  if (age === undefined) return null;
  if (letter !== "M" && letter !== "W") return { name: "", sex: null, age };
  return agrees(letter, sex) ? { name: "", sex: letter, age } : { name: letter, sex: null, age };
}

/** A word that ends in an age: "LW10" in a mixed event, "Ann12" in another. */
export function readGluedAge(word: string, sex: EventSex): AgePart | null {
  const [, name = "", letter, age] = /^(\D*?[\p{L}.'’*,-])([MW])?(\d{1,2})$/u.exec(word) ?? [];
  if (age === undefined) return null;
  if ((letter === "M" || letter === "W") && sex === "mixed") return { name, sex: letter, age };
  return { name: name + (letter ?? ""), sex: null, age };
}

/** A word through which an age runs: its digits are the age. */
export function readWovenAge(word: string, sex: EventSex): AgePart | null {
  const age = word.replace(/\D/g, "");
  const firstDigit = word.search(/\d/);
  if (age === "" || age.length > 2 || !/\p{L}/u.test(word)) return null;
  const letterAt = Math.max(word.lastIndexOf("M", firstDigit), word.lastIndexOf("W", firstDigit));
  const letter = word[letterAt];
  if (letterAt > 0 && (letter === "M" || letter === "W") && agrees(letter, sex)) {
    return { name: (word.slice(0, letterAt) + word.slice(letterAt + 1)).replace(/\d/g, ""), sex: letter, age };
  }
  // A last capital behind the digits is the middle initial.
  return { name: word.replace(/(\p{Ll})\d+(\p{Lu})$/u, "$1 $2").replace(/\d/g, ""), sex: null, age };
}

function agrees(letter: "M" | "W", sex: EventSex): boolean {
  return sex === "mixed" || sex === letter;
}
