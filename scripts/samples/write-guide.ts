/** The EPUB among the sample documents: a small field guide with chapters, about the reservoir that the report speaks of. */
import { makeEpub } from "../../test/support/sample-books.ts";
import { withFixedTimes } from "./with-fixed-times.ts";

interface Chapter {
  title: string;
  /** Paragraphs; one that begins with "## " is a heading, one that begins with "- " an item of a list. */
  text: readonly string[];
}

const chapters: readonly Chapter[] = [
  {
    title: "Before you set out",
    text: [
      "Hallow Mere lies four kilometres north of Elderwick, in a fold of the hills that the Sill has been cutting for longer " +
        "than anybody has written things down. Most people know it as the reservoir that gives the town its drinking " +
        "water. For a patient visitor it is also a place with more than ninety kinds of birds.",
      "The path round the water is seven kilometres long. Allow three hours, and a fourth if you mean to sit still, which is " +
        "the better half of watching. The best hours are the first two after sunrise.",
      "## What to bring",
      "- Binoculars; eight times is enough.",
      "- Boots: the path is wet on the northern shore in any weather.",
      "- Something to write with. What you noted on the spot is worth three of what you remember.",
      "Do not bring a dog between March and August, and leave the reeds to those who live in them.",
    ],
  },
  {
    title: "Where the water comes from",
    text: [
      "Hallow Mere is no natural lake. It was dammed in 1911, when the wells below Fallow Hill had become too small for the " +
        "town, and it covers 74 hectares of what used to be meadows. The Sill and two brooks feed it. In hot summers the " +
        "brooks run dry, the town goes on drinking, and the level of the reservoir falls by two metres and more.",
      "At the dam stands the outlet tower. It takes the water at three depths, so that the people of the waterworks can choose " +
        "the layer that is clearest. From there the water runs to the pump house in Cooper's Lane, where it is filtered and " +
        "mixed with water from the wells. Two glasses out of three that are drunk in Elderwick were part of the mere a day " +
        "before.",
      "For birds the dam was good luck. A reservoir that rises in winter and falls in summer has mud at its edges just when " +
        "waders pass through, and deep water that stays open in frost.",
    ],
  },
  {
    title: "The western shore",
    text: [
      "Here the water is shallow and the reeds stand in a belt thirty metres wide. From April to July great crested grebes " +
        "nest in it. The nest is a raft of wet plants, tied to a few stems so that it can rise and fall with the water.",
      "In dry summers the level falls by two metres and more, and late nests end up on mud, where foxes reach them. That is " +
        "why the early broods matter. A pair that has lost its eggs may try again until the middle of July.",
      "## Great crested grebe",
      "The crest and the chestnut collar are worn by both sexes. In March pairs face each other on the open water, shake " +
        "their heads, dive, and come up with a beak full of weed, breast to breast. The young ride on the backs of their " +
        "parents and are striped like humbugs.",
      "## Reed warbler",
      "You will hear it long before you see it: a song that sounds like small machinery, in phrases of two and three. It " +
        "hangs its nest between three or four reeds, over water, and feeds its young on flies and mosquitoes.",
    ],
  },
  {
    title: "The open water",
    text: [
      "The middle of the mere is up to nineteen metres deep. In winter it freezes last of all the lakes of the region, and " +
        "ducks from the whole valley come together on it. On a still day in January there may be two thousand of them.",
      "## Tufted duck",
      "The drake is black and white with a loose tuft at the back of the head, the duck is dark brown. Both dive for mussels " +
        "and stay under for about twenty seconds. Count slowly when one goes down, and guess where it will come up.",
      "## Goosander",
      "Long, low on the water, with a thin red beak whose saw teeth hold small fish. Goosanders nest in hollow trees, and on " +
        "their second day the young jump down from any height and walk to the water.",
    ],
  },
  {
    title: "The outlet tower",
    text: [
      "Screens at the tower hold back leaves, branches and fish, and where fish gather there are those who eat them. Look for the heron on the steps in the morning. The kingfisher " +
        "prefers the iron rail on the side of the shade.",
      "## Kingfisher",
      "A blue spark, low over the water, gone before you have turned your head. Wait. It has two or three perches and comes " +
        "back to each of them every half hour. It digs its nest into steep banks, a tunnel as long as an arm.",
      "## Grey heron",
      "It stands as if it had been put there and forgotten. When it strikes, the neck is faster than the eye. Herons do not " +
        "leave the mere in winter as long as there is open water at the tower.",
    ],
  },
  {
    title: "A year at the mere",
    text: [
      "- January: ducks in great numbers on the open water.",
      "- March: grebes begin to dance.",
      "- May: reed warblers are back and sing by day and night.",
      "- July: young grebes on the backs of their parents; the water begins to fall.",
      "- October: the brooks run again and the mere fills up.",
      "- December: kingfisher and heron at the outlet tower.",
      "Write to the Elderwick Field Club if you have seen something that is not in this book. The next edition will have it, " +
        "with your name.",
    ],
  },
];

export function writeGuide(): Uint8Array {
  const entries = chapters.map(({ title }, index) => `<li><a href="chapter-${index + 1}.xhtml">${title}</a></li>`);
  const book = makeEpub({
    title: "A Pocket Guide to Hallow Mere",
    author: "Odile Marten",
    chapters: chapters.map(({ title, text }) => ({ body: `<h1>${title}</h1>${text.map(markUp).join("")}` })),
    nav: `<nav epub:type="toc"><ol>${entries.join("")}</ol></nav>`,
  });
  return withFixedTimes(book);
}

function markUp(text: string, index: number, all: readonly string[]): string {
  if (text.startsWith("## ")) return `<h2>${text.slice(3)}</h2>`;
  if (!text.startsWith("- ")) return `<p>${text}</p>`;
  const [opens, closes] = [index - 1, index + 1].map((at) => !all[at]?.startsWith("- "));
  return `${opens ? "<ul>" : ""}<li>${text.slice(2)}</li>${closes ? "</ul>" : ""}`;
}
