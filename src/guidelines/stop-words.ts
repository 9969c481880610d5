/** Words that say nothing about a subject: those of grammar, and those of textbooks about themselves. */

const grammar = `a about above across after again against all almost alone along already also although always am among an
and another any anyone anything are around as ask at away back be became because become becomes been before behind being
below between both bring but by call called can cannot come comes could did different do does doing done down during each
either else enough even ever every everyone everything few find first for from gave get gets give given gives go goes going
good got great had has have having he hence her here hers him himself his how however i if in indeed instead into is it its
itself just keep kept kind kinds know known large last later least less let lets like little look looks made main make
makes making many may me mean means might more most much must my myself near need needs neither never new next no nor not
nothing now of off often on once one only onto or other others otherwise our ours out over own part parts per perhaps put
quite rather really said same say says see seem seems seen several shall she should show shown shows since small so some
someone something sometimes soon still such take taken takes tell than that the their theirs them themselves then there
therefore these they thing things this those though three through thus till to together too took toward towards try two
under until up upon us use used uses using usually various very want was way ways we well went were what when where whether
which while who whole whom whose why will with within without work would yes yet you your yours yourself four five six seven
eight nine ten second third since able important example examples following follow follows below note called number different
don't doesn't isn't aren't it's let's that's there's you'll we'll can't won't didn't i'm they're we're you're`;

const textbook = `activity activities answer answers book chapter chapters class classroom complete copy describe diagram
discuss discussion draw exercise exercises explain fig figure figures following group groups grade homework illustration
instruction instructions introduction learn learner learners learnt lesson lessons list name notes objective objectives
page pages pair pairs photo photos picture pictures project question questions read remember review section sections sentence
solution solutions student students summary table tables teacher teachers term test think topic unit units video word words
workbook write written http https www com org html images figure`;

const others = `aber alle als am auch auf aus bei bis das dass dem den denn der des die dies diese dieser durch ein eine einem
einen einer eines er es für gilt gibt hat ich ihr im ist kann man mit nach nicht noch nur oder sei sein sich sie sind so und
uns von vor war wenn wie wir wird zu zum zur über aux avec ce ces cette dans des du elle en est et il ils la le les leur mais
ne nous ou par pas plus pour que qui sa se ses son sont sur un une vous al como con del el ella esta este está las lo los
más muy para pero por que se ser su sus un una y`;

const stopWords: ReadonlySet<string> = new Set(`${grammar} ${textbook} ${others}`.split(/\s+/));

export function isStopWord(word: string): boolean {
  return stopWords.has(word);
}
