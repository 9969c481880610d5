/** First names that people use for one another and that do not begin alike. Those that do are told by their beginning. */

const groups = [
  "william bill billy will liam",
  "robert bob bobby rob",
  "richard dick rick ricky",
  "elizabeth liz lizzy lizzie beth betsy eliza libby ellie",
  "margaret maggie meg peggy greta",
  "katherine catherine kathryn kate katie kathy cathy kat kit",
  "alexander alexandra alex sasha lexi xander sandra",
  "james jim jimmy jamie",
  "john jack johnny",
  "jonathan jon jonny johnny",
  "edward ed eddie ted teddy ned",
  "henry harry hank",
  "charles charlie chuck",
  "michael mike mikey mick",
  "isabella isabel izzy bella",
  "joseph joe joey",
  "anthony tony",
  "andrew andy drew",
  "theodore theo ted teddy",
  "abigail abby gail",
  "susan sue susie suzy",
  "rebecca becky becca",
  "victoria vicky tori",
  "christopher chris kit topher",
  "patricia pat patty trish tricia",
  "samuel samantha sam sammy",
];

const groupsOf = new Map<string, Set<number>>();
for (const [index, group] of groups.entries()) {
  for (const name of group.split(" ")) groupsOf.set(name, (groupsOf.get(name) ?? new Set()).add(index));
}

export function isNickname(name: string): boolean {
  return groupsOf.has(name);
}

export function areNicknames(one: string, other: string): boolean {
  const others = groupsOf.get(other);
  return others !== undefined && [...(groupsOf.get(one) ?? [])].some((group) => others.has(group));
}
