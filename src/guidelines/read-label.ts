/** Tells the lines by which textbooks announce what follows: objectives, key words, an example, an activity, exercises. */

export type Label = "objectives" | "terms" | "example" | "activity" | "exercise" | "summary" | "aside";

const patterns: [Label, RegExp][] = [
  [
    "objectives",
    /^(?:(?:learning|lesson|unit|chapter|specific|teaching|general) )?(?:objectives?|outcomes?|goals|aims?|competenc(?:y|ies)|lernziele?|objectifs?|objetivos?)(?: of (?:the|this) \w+)?$/,
  ],
  [
    "objectives",
    /^(?:in this (?:unit|chapter|lesson|section|topic),? )?(?:you|we|learners|students|pupils|children)(?:'ll| will| are going to| shall| should)(?: also)? (?:learn|be able|find out|discover|study|know|explore)\b/,
  ],
  [
    "objectives",
    /^(?:by|at|after) (?:the end of|completing|studying|reading|finishing|working through) (?:this|the) .*(?:able to|will|should|can)\b/,
  ],
  ["objectives", /^what (?:you|we|i) (?:will|are going to) learn$/],
  [
    "terms",
    /^(?:key|new|important|difficult|science|useful) (?:words?|terms?|vocabulary)$|^(?:vocabulary|glossary|keywords?|word (?:bank|list|box|wall)|words to (?:know|remember|learn)|terms to know|schlüsselbegriffe)$/,
  ],
  ["example", /^(?:worked |solved )?(?:example|beispiel|exemple|ejemplo)s?(?: [\dlI]+(?:\.\d+)*[a-z]?)?$/],
  ["aside", /^(?:solution|lösung|answer|proof|beweis)s?(?: [\dlI]+(?:\.\d+)*)?$/],
  [
    "activity",
    /^(?:(?:class|group|home|practical|hands-on|design) )?(?:activity|activities|experiments?|investigations?|projects?|investigate|procedure|instructions?|materials?|apparatus|method|practical(?: work)?|aktivität)(?: [\dlI]+(?:\.\d+)*)?(?: \(.*\))?$/,
  ],
  [
    "activity",
    /^(?:what (?:you|to|we) (?:will )?(?:need|do|have to do)|you will need|things? to do|let us do|do it yourself|try it out|make and do)$/,
  ],
  [
    "exercise",
    /^(?:(?:review|end of \w+|chapter|unit|lesson|practice|reading|discussion|further|revision|oral|written|more) )?(?:exercises?|questions?|problems?|assessment|quiz|test|worksheet|homework|practice|revision|review|übungsaufgaben|aufgaben|übungen|exercices|ejercicios)(?: [\dlI]+(?:\.\d+)*[a-z]?)?$/,
  ],
  [
    "exercise",
    /^(?:check (?:your|yourself|what)\b.{0,40}|test your(?:self|\b.{0,30})|self[- ](?:test|check|assessment)|think and (?:answer|discuss)|can you answer .*|try (?:this|these)|answer (?:the|these)(?: following)? questions)$/,
  ],
  [
    "summary",
    /^(?:(?:chapter|lesson|unit) )?(?:summary|recap|conclusions?|review summary)$|^(?:key|main) (?:points?|ideas?|concepts?)$|^(?:points to remember|remember|in (?:short|brief|summary)|what (?:we|you|i) (?:have )?learn(?:ed|t)|let us remember|zusammenfassung)$/,
  ],
  [
    "aside",
    /^(?:introduction|introducing (?:the|this) (?:topic|section|unit|chapter)|background|discussion|notes?(?: for (?:the )?teachers?| to (?:the )?teachers?)?|teachers?'?s? (?:notes?|guide)|presentation hints?|visit|did you know|fun facts?|interesting facts?|hints?|warnings?|caution|safety|observations?|results?|references?|further reading|see also|continued|remarks?|bemerkung|definition)(?: \d+)?$/,
  ],
];
/** "Example 3: A bag holds …" and "Activity 2 – Making a kite": the label with its text behind it. */
const inline =
  /^((?:worked |solved )?example|activity|experiment|investigation|project|exercise|solution|objectives?|aim|problem)( [\dlIO]+(?:\.\d+)*[a-z]?)? ?[:.–—-] *(\S.*)$/i;
const inlineLabels: Record<string, Label> = {
  activity: "activity",
  experiment: "activity",
  investigation: "activity",
  project: "activity",
  exercise: "exercise",
  problem: "exercise",
  solution: "aside",
  objective: "objectives",
  objectives: "objectives",
  aim: "objectives",
};

/** What a line announces, and what it already says of it. */
export function readLabel(line: string): { label: Label; rest: string } | null {
  if (line.length > 140) return null;
  const bare = line
    .toLowerCase()
    .replace(/^[\d.]+ +/, "")
    .replace(/[’]/g, "'")
    .replace(/[:.?!–—-]+$/, "")
    .trim();
  for (const [label, pattern] of patterns) if (pattern.test(bare)) return { label, rest: "" };
  const match = inline.exec(line);
  if (
    match === null ||
    (match[2] === undefined && !/[:–—]/.test(line.slice((match[1] ?? "").length, (match[1] ?? "").length + 2)))
  ) {
    return null;
  }
  const word = (match[1] ?? "").toLowerCase();
  return { label: inlineLabels[word] ?? "example", rest: match[3] ?? "" };
}
