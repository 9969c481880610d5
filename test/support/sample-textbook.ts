/**
 * A small invented school book as OCR gives it, page by page: running heads, page numbers, broken words, and the contents
 * page by which its chapters can be checked. `noisy` makes of each page what a poor scan makes of it.
 */

interface Section {
  topic: string;
  subtopic: string;
  /** In the scans, from 1. */
  page: number;
}

/** Where topics and subtopics begin. */
export const sectionStarts: readonly Section[] = [
  { page: 4, topic: "Plants", subtopic: "Roots and stems" },
  { page: 6, topic: "Plants", subtopic: "Leaves" },
  { page: 9, topic: "Plants", subtopic: "Seeds" },
  { page: 11, topic: "Animals", subtopic: "Skeletons" },
  { page: 13, topic: "Animals", subtopic: "Habitats" },
  { page: 15, topic: "Materials", subtopic: "Solids and liquids" },
  { page: 18, topic: "Materials", subtopic: "Changes of state" },
  { page: 20, topic: "Earth and sky", subtopic: "The Sun" },
  { page: 22, topic: "Earth and sky", subtopic: "The Moon" },
];

/** Pages without anything to teach: title page, imprint, contents, a blank page, the index. */
export const emptyPages: readonly number[] = [1, 2, 3, 17, 24];

function left(number: number, body: string): string {
  return `${number}    Our Living World\n\n${body.trim()}\n`;
}

function right(number: number, chapter: string, body: string): string {
  return `${chapter}   ${number}\n\n${body.trim()}\n`;
}

function opening(number: number, body: string): string {
  return `${body.trim()}\n\n${number}\n`;
}

export const textbookPages: readonly string[] = [
  `OUR LIVING WORLD

Science for Grade 5

Meadow Press`,
  `First published by Meadow Press
Copyright © Meadow Press. All rights reserved.
No part of this book may be copied without permission of the publisher.
ISBN 000-0-00-000000-0
Printed in Nowhere`,
  `Contents

Chapter 1 Plants .................... 1
1.1 Roots and stems . . . . . . . . . . 1
1.2 Leaves . . . . . . . . . . . . . . 3
1.3 Seeds . . . . . . . . . . . . . . . 6
Chapter 2 Animals ................... 8
2.1 Skeletons . . . . . . . . . . . . . 8
2.2 Habitats . . . . . . . . . . . . . l0
Chapter 3 Materials ................. 12
3.1 Solids and liquids . . . . . . . . 12
3.2 Changes of state . . . . . . . . . 15
Chapter 4 Earth and sky ............. 17
4.1 The Sun . . . . . . . . . . . . . . 17
4.2 The Moon . . . . . . . . . . . . . 19
Index ............................... 21`,
  opening(
    1,
    `CHAPTER 1

PLANTS

By the end of this chapter you should be able to:
• name the parts of a plant
• explain what roots and stems do
• describe how a seed grows

1.1 Roots and stems

Most plants have roots that grow down into the soil. Roots hold the plant firmly in the ground. They also
take up water and minerals from the soil. A root hair is a tiny thread on the root through which water en-
ters the plant. The stem carries the water from the roots to the leaves. Stems also hold the leaves up to
the light.`,
  ),
  left(
    2,
    `Some roots store food for the plant. A carrot is a root that stores food. We eat many roots, such as
carrots, beetroot and radishes. Stems may be soft and green, or hard and woody. The trunk of a tree is a
woody stem. The tubes inside a stem are called vessels. Water moves up through the vessels all the time.

Activity 1: Watching water climb

1. Put a stick of celery into a glass of red ink.
2. Leave it on a sunny shelf for one day.
3. Cut the stem across and look for red spots.`,
  ),
  right(
    3,
    "Chapter 1: Plants",
    `1.2 Leaves

Leaves make food for the plant. They use sunlight, water and a gas from the air to make sugar. This process
is called photosynthesis. A leaf is a flat part of the plant that catches the light of the sun. Most leaves
are green because they hold a green substance. The green substance is known as chlorophyll.

Key words

sunlight
chlorophyll
photosynthesis
sugar`,
  ),
  left(
    4,
    `Leaves have veins that bring water to every part of the leaf. The veins also carry sugar away to the stem.
On the underside of a leaf there are very small holes. Air goes in and out of the leaf through the holes.
In dry places leaves are often small and thick. In wet forests leaves can be as large as an umbrella.

Example 1: A plant has 12 leaves and every leaf makes 2 grams of sugar in a day. How much sugar does the
plant make in a day?
Solution: 12 leaves make 12 times 2 grams, which is 24 grams of sugar.`,
  ),
  right(
    5,
    "Chapter 1: Plants",
    `Some leaves change colour in autumn because the chlorophyll breaks down. Then yellow and red colours can be
seen in the leaves. After that the leaves fall to the ground and feed the soil.

Exercise 1.2

1. What do leaves make for the plant?
2. Why are most leaves green?
3. Draw a leaf and label its veins.`,
  ),
  left(
    6,
    `1.3 Seeds

A seed is a small packet with a young plant inside. The seed also holds food for the young plant. The hard
outside of a seed is called the seed coat. Seeds need water, air and warmth to begin to grow. When a seed
begins to grow we say that it germinates. First a small root breaks through the seed coat.`,
  ),
  right(
    7,
    "Chapter 1: Plants",
    `Seeds travel in many ways. Some seeds have wings and fly on the wind. Other seeds stick to the fur of
animals. Birds eat berries and drop the seeds far away. A coconut is a seed that can float over the sea.

Exercise 1.3

1. What does a seed need to germinate?
2. Name two ways in which seeds travel.`,
  ),
  opening(
    8,
    `CHAPTER 2

ANIMALS

2.1 Skeletons

Animals with bones inside their bodies are called vertebrates. A skeleton is a frame of bones that holds up
the body. Bones protect the soft parts of the body. The skull protects the brain and the ribs protect the
heart. Muscles pull on the bones and so the animal can move.`,
  ),
  left(
    9,
    `Insects have no bones at all. An insect has a hard shell on the outside of its body. Snails carry a shell
on their backs. Worms have neither bones nor a shell. The place where two bones meet is called a joint. The
knee and the elbow are joints. A hinge joint moves in one direction only, like a door.`,
  ),
  right(
    10,
    "Chapter 2: Animals",
    `2.2 Habitats

A habitat is a place where an animal finds food, water and shelter. Ponds, forests and deserts are habitats.
Fish live in water because they breathe with gills. Camels can live in the desert because they need little
water. Animals that hunt other animals are called predators.

Did you know

A desert fox has large ears that help it to stay cool.`,
  ),
  left(
    11,
    `The animals that predators hunt are known as prey. In a pond, small fish eat water fleas and herons eat
small fish. If the pond dries up, the fish and the herons lose their habitat. People change habitats when
they build roads and towns.

Activity 2: A pond in a jar

You will need:
a large jar
pond water
some water plants

1. Fill the jar with pond water.
2. Add the water plants and look at it every day.`,
  ),
  opening(
    12,
    `CHAPTER 3

MATERIALS

3.1 Solids and liquids

Everything around us is made of matter. Matter means anything that takes up space and has mass. A solid
keeps its own shape. Wood, stone and iron are solids. A liquid is a material that flows and takes the shape
of its container. Water, oil and milk are liquids.`,
  ),
  left(
    13,
    `Liquids can be poured, but a solid cannot be poured unless it is ground to a powder. Sand can be poured al-
though each grain of sand is a solid. Oil floats on water because oil is lighter than water. Honey flows
slowly, and we say that it is a thick liquid.

Exercise 3.1

1. Name three solids and three liquids in your kitchen.
2. Is sand a solid or a liquid? Explain your answer.`,
  ),
  "",
  right(
    15,
    "Chapter 3: Materials",
    `3.2 Changes of state

When ice is heated it becomes water. The change from a solid to a liquid is called melting. When water boils
it becomes steam, which is a gas. The change from a liquid to a gas is called evaporation. Cooling turns
steam back into water, and this change is called condensation.`,
  ),
  left(
    16,
    `Water freezes at zero degrees and boils at one hundred degrees. Chocolate melts in a warm hand. Wet clothes
dry on a line because the water in them evaporates. Clouds form when steam in the air cools and condenses.

Exercise 3.2

1. What is melting?
2. What happens to water when it is cooled to zero degrees?`,
  ),
  opening(
    17,
    `CHAPTER 4

EARTH AND SKY

4.1 The Sun

The Sun is a star. It gives light and heat to the Earth. The Earth travels around the Sun once in a year.
Without the Sun there would be no life on Earth. The path of the Earth around the Sun is called its orbit.`,
  ),
  left(
    18,
    `The Earth also spins like a top. It spins once in a day. The side of the Earth that faces the Sun has day,
and the other side has night. When it is noon for us, it is midnight on the far side of the Earth.

Activity 3: Day and night

1. Shine a torch on a ball in a dark room.
2. Turn the ball slowly and watch the shadow.`,
  ),
  right(
    19,
    "Chapter 4: Earth and sky",
    `4.2 The Moon

The Moon travels around the Earth in about four weeks. It has no light of its own, but it reflects the light
of the Sun. The shapes that we see during a month are called phases. A full moon is the phase in which the
whole bright side can be seen.`,
  ),
  left(
    20,
    `The surface of the Moon is covered with craters. A crater is a round hollow made by a falling rock. There is
no air on the Moon, and so there is no sound. People walked on the Moon for the first time in 1969.

Review questions

1. How long does the Moon take to travel around the Earth?
2. What is a crater?`,
  ),
  `Index

chlorophyll, 3, 5
condensation, 15
crater, 20
germinate, 6
habitat, 10, 11
joint, 9
melting, 15
orbit, 17
phases, 19
photosynthesis, 3
predators, 10
root hair, 1
skeleton, 8
vessels, 2`,
];

/** Letters taken for digits in numbers, specks at the ends of lines, a misread chapter word; the same for the same page. */
export function noisy(page: string): string {
  return page
    .replace(/^1\.(\d)/gm, "l.$1")
    .replace(/^CHAPTER/gm, "CHAPTFR")
    .replace(/fi/g, "ﬁ")
    .split("\n")
    .map((line, index) => (index % 5 === 3 && line !== "" ? `${line} |` : line))
    .join("\n");
}
