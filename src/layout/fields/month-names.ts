/** The months as they are written in English, German, French, Spanish, Italian and Dutch, without accents, in lower case. */
const namesByMonth: readonly (readonly string[])[] = [
  ["january", "januar", "janner", "janvier", "enero", "gennaio", "januari", "jan", "janv", "ene", "gen"],
  ["february", "februar", "fevrier", "febrero", "febbraio", "februari", "feb", "febr", "fevr", "fev"],
  ["march", "marz", "maerz", "mars", "marzo", "maart", "mar", "mrz", "mrt"],
  ["april", "avril", "abril", "aprile", "apr", "avr", "abr"],
  ["may", "mai", "mayo", "maggio", "mei", "mag"],
  ["june", "juni", "juin", "junio", "giugno", "jun", "giu"],
  ["july", "juli", "juillet", "julio", "luglio", "jul", "juil", "lug"],
  ["august", "aout", "agosto", "augustus", "aug", "ago"],
  ["september", "septembre", "septiembre", "setiembre", "settembre", "sep", "sept", "set"],
  ["october", "oktober", "octobre", "octubre", "ottobre", "oct", "okt", "ott"],
  ["november", "novembre", "noviembre", "nov"],
  ["december", "dezember", "decembre", "diciembre", "dicembre", "dec", "dez", "dic"],
];

const monthByName = new Map(
  namesByMonth.flatMap((names, index) => names.map((name): [string, number] => [name, index + 1])),
);

/** The month's number from 1, or undefined when the word names none. */
export function readMonthName(word: string): number | undefined {
  return monthByName.get(
    word
      .normalize("NFD")
      .replace(/[^\p{L}]/gu, "")
      .toLowerCase(),
  );
}
