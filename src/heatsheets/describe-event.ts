/** Tells from an event's name how far, in which stroke and by whom it is swum, to compare names of different sheets. */

interface EventDescription {
  /** In metres or yards, of a relay all legs together. */
  distance?: number;
  stroke?: Stroke;
  sex?: "M" | "W" | "X";
}

type Stroke = "free" | "back" | "breast" | "fly" | "medley";

/** In the languages of the sheets that are read, without accents. Medley first: "medley free relay" is none. */
const strokes: readonly [Stroke, RegExp][] = [
  ["medley", /medley|\bim\b|lagen|combinado|\bcomb\b|4 nages|wissel|karisik|zmienn|estilos|estilo individual/],
  ["back", /back|rucken|espalda|\bdos\b|rugslag|sirtustu|grzbiet|rygg|costas|dorso/],
  ["breast", /breast|brust|pecho|braza|brasse|schoolslag|kurbagalama|klasycz|brost|bruc[oó]s|\brana\b/],
  ["fly", /fly|butter|schmetterling|mariposa|papillon|vlinder|kelebek|motyl|fjaril|delfin/],
  ["free", /free|freistil|libre|vrije|serbest|dowoln|frisim|crawl|livre|libero/],
];

const sexes: readonly ["M" | "W" | "X", RegExp][] = [
  ["X", /\b(?:mixed|mixte|mixto|mikst|gemengd|karma)\b|\| x\b/],
  [
    "W",
    /\b(?:girls?|wom[ae]n|ladies|weiblich|damen|dames|filles|mujer(?:es)?|femenino|kobiet|dziewczat|kizlar|bayanlar|meisjes)\b|\| f\b/,
  ],
  [
    "M",
    /\b(?:boys?|men|man|mannlich|herren|heren|messieurs|garcons|hombres|masculino|mezczyzn|chlopcow|erkekler|jongens)\b|\| m\b/,
  ],
];

/** Numbers that are ages: "11-12", "10 & Under", "11 Year Olds", "160 a 199 anos", "11Y". */
const ages =
  /\b\d{1,3} ?(?:-|–|a|to) ?\d{1,3}\b(?! ?m\b)|\b\d{1,3} ?(?:&|and) ?(?:under|over|u|o)\b|\b\d{1,2} ?year|\b\d{1,2}y\b|\b\d{1,2}\+/g;

const distances = new Set([25, 50, 75, 100, 150, 200, 300, 400, 500, 600, 800, 1000, 1500, 1650, 3000, 5000]);

export function describeEvent(name: string): EventDescription {
  const plain = name
    .replaceAll("\u03d0", "f")
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ı", "i");
  const distance = findDistance(plain);
  const stroke = strokes.find(([, words]) => words.test(plain))?.[0];
  const sex = sexes.find(([, words]) => words.test(plain))?.[0];
  return { ...(distance && { distance }), ...(stroke && { stroke }), ...(sex && { sex }) };
}

function findDistance(plain: string): number | undefined {
  const legs = /(\d) ?[x×*] ?(\d{2,4})\b/.exec(plain) ?? /(\d) ?[x×*] ?(\d{2,4}) ?m/.exec(plain);
  if (legs) return Number(legs[1]) * Number(legs[2]);
  const numbers = plain.replace(ages, " ").match(/\d+(?=\D|$)/g) ?? [];
  return numbers.map(Number).find((number) => distances.has(number));
}

/** Whether two names can be of one event: nothing that both of them say differs. A name left out says nothing. */
export function canBeSameEvent(one: EventDescription, other: EventDescription): boolean {
  const keys = ["distance", "stroke", "sex"] as const;
  return keys.every((key) => one[key] === undefined || other[key] === undefined || one[key] === other[key]);
}
