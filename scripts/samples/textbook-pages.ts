/** A small school book about simple machines, page by page: what is printed on each, from the title to the last exercise. */

export type Block =
  | { kind: "chapter"; number: number; title: string }
  | { kind: "section"; text: string }
  | { kind: "text"; text: string }
  /** A line that announces what follows, with the list that follows. */
  | { kind: "list"; label: string; items: readonly string[]; marker: "bullet" | "number" }
  | { kind: "words"; label: string; words: readonly string[] }
  | { kind: "example"; label: string; text: string; solution: string }
  | { kind: "figure"; drawing: "lever" | "well" | "ramp" | "screw"; caption: string };

export interface TextbookPage {
  /** As printed; null where none is. */
  number: number | null;
  /** The line above the text; null on pages that open a chapter. */
  head: string | null;
  blocks: readonly Block[];
}

export const about = { title: "Work Made Easy", author: "Greta Halloway", grade: "5", subject: "Science" } as const;
export const publisher = "Millstone School Press";

/** What the contents page lists: title and printed page. */
export const contents: readonly { title: string; page: number }[] = [
  { title: "Chapter 1 Levers and wheels", page: 1 },
  { title: "1.1 Levers", page: 1 },
  { title: "1.2 Wheels and axles", page: 3 },
  { title: "Chapter 2 Slopes", page: 5 },
  { title: "2.1 Ramps", page: 5 },
  { title: "2.2 Wedges and screws", page: 7 },
];

const [first, second] = ["Chapter 1: Levers and wheels", "Chapter 2: Slopes"];

/** The pages behind the title and the contents. */
export const pages: readonly TextbookPage[] = [
  {
    number: 1,
    head: null,
    blocks: [
      { kind: "chapter", number: 1, title: "LEVERS AND WHEELS" },
      {
        kind: "list",
        label: "By the end of this chapter you will be able to:",
        items: [
          "name the parts of a lever",
          "explain why a long lever makes work easier",
          "describe how a wheel turns an axle",
        ],
        marker: "bullet",
      },
      { kind: "section", text: "1.1 Levers" },
      {
        kind: "text",
        text:
          "A lever is a stiff bar that turns around a fixed point. The fixed point is called the fulcrum. The weight that " +
          "you want to move is called the load, and the push or pull that you give is called the effort. A seesaw is a lever, " +
          "and so are a crowbar, a pair of scissors and the handle of a pump.",
      },
      {
        kind: "text",
        text:
          "With a lever you can lift a load that is much too heavy for your arms. You have to push less hard, but you have to " +
          "push through a longer way. Nothing is won for free.",
      },
    ],
  },
  {
    number: 2,
    head: about.title,
    blocks: [
      {
        kind: "figure",
        drawing: "lever",
        caption: "Figure 1: The effort is small because it is far from the fulcrum.",
      },
      {
        kind: "text",
        text:
          "The distance from the fulcrum to the load is the load arm. The distance from the fulcrum to your hand is the " +
          "effort arm. A lever is in balance when load times load arm is equal to effort times effort arm. The longer the " +
          "effort arm, the smaller the effort that you need.",
      },
      {
        kind: "example",
        label: "Example 1:",
        text:
          "A stone of 60 newtons lies 1 metre from the fulcrum. Pia pushes down 3 metres from the fulcrum. How hard must she " +
          "push?",
        solution:
          "Load times load arm is 60 times 1, which is 60. Effort times 3 must be 60 too. Pia must push with 20 newtons.",
      },
      {
        kind: "list",
        label: "Exercise 1.1",
        items: [
          "Name three levers that you find in a kitchen.",
          "Where is the fulcrum of a pair of scissors?",
          "A load of 80 newtons lies 1 metre from the fulcrum. How hard must you push 4 metres from the fulcrum?",
        ],
        marker: "number",
      },
    ],
  },
  {
    number: 3,
    head: first,
    blocks: [
      { kind: "section", text: "1.2 Wheels and axles" },
      {
        kind: "text",
        text:
          "A wheel helps in two ways. It rolls where a box would scrape, and it turns a small force into a large one. An axle " +
          "is a rod that is fixed to the middle of a wheel and turns with it. When you turn the rim of the wheel, the axle " +
          "turns with a much stronger force.",
      },
      {
        kind: "figure",
        drawing: "well",
        caption: "Figure 2: The crank of a well is a wheel with a single spoke.",
      },
      {
        kind: "text",
        text:
          "The crank of a well works in this way. Your hand goes round a large circle, and the rope winds around the thin " +
          "axle. The hand moves far and the bucket rises slowly, but the bucket may be heavy. A screwdriver with a thick " +
          "handle and the steering wheel of a bus are wheels and axles too.",
      },
    ],
  },
  {
    number: 4,
    head: about.title,
    blocks: [
      {
        kind: "text",
        text:
          "Two wheels with teeth that reach into each other are called gears. If the small gear has 10 teeth and the large " +
          "gear has 40 teeth, the small one turns four times while the large one turns once. Gears change the speed, the " +
          "force and the direction of a turn. You find them in clocks, in mills and on bicycles.",
      },
      {
        kind: "list",
        label: "Activity 1: A well on the table",
        items: [
          "Tie a thread to a small bag with ten marbles.",
          "Wind the thread around a pencil and lift the bag by turning the pencil.",
          "Fix a ruler across the end of the pencil and turn the end of the ruler instead.",
        ],
        marker: "number",
      },
      { kind: "words", label: "Key words", words: ["wheel", "axle", "crank", "gear"] },
      {
        kind: "list",
        label: "Exercise 1.2",
        items: [
          "Why is the handle of a screwdriver thicker than its blade?",
          "A gear with 12 teeth turns a gear with 36 teeth. How often must the small one turn?",
        ],
        marker: "number",
      },
    ],
  },
  {
    number: 5,
    head: null,
    blocks: [
      { kind: "chapter", number: 2, title: "SLOPES" },
      {
        kind: "list",
        label: "By the end of this chapter you will be able to:",
        items: [
          "explain why a ramp makes lifting easier",
          "compare a steep ramp with a gentle one",
          "describe how a screw holds two boards together",
        ],
        marker: "bullet",
      },
      { kind: "section", text: "2.1 Ramps" },
      {
        kind: "text",
        text:
          "A ramp is a flat surface with one end higher than the other. It is also known as an inclined plane. Nobody can " +
          "lift a piano onto a stage, but three people can push it up a ramp. The load goes a longer way and needs less force " +
          "at every step of it.",
      },
      {
        kind: "text",
        text:
          "Roads up a mountain wind from side to side for the same reason. The bends make the way longer and the slope gentle, " +
          "so that a bus can climb it.",
      },
    ],
  },
  {
    number: 6,
    head: about.title,
    blocks: [
      { kind: "figure", drawing: "ramp", caption: "Figure 3: Four metres of ramp lift the barrel by one metre." },
      {
        kind: "text",
        text:
          "The gentler the ramp, the less force you need. Without friction, force times length of the ramp would be equal to " +
          "load times height. Friction is a force that acts between two surfaces that rub against each other. It makes the " +
          "work harder on a rough ramp and easier on a smooth one.",
      },
      {
        kind: "example",
        label: "Example 2:",
        text: "You roll a barrel of 200 newtons up a smooth ramp, 4 metres long and 1 metre high. How hard must you push?",
        solution:
          "Load times height is 200 times 1, which is 200. The force times 4 must be 200 too. You must push with 50 newtons.",
      },
      {
        kind: "list",
        label: "Exercise 2.1",
        items: [
          "Name two ramps near your school.",
          "Why do mountain roads have bends?",
          "A box of 90 newtons is pushed up a smooth ramp, 3 metres long and 1 metre high. Find the force.",
        ],
        marker: "number",
      },
    ],
  },
  {
    number: 7,
    head: second,
    blocks: [
      { kind: "section", text: "2.2 Wedges and screws" },
      {
        kind: "text",
        text:
          "A wedge is a piece of wood or metal that is thick at one end and thin at the other. An axe is a wedge, and so are a " +
          "knife, a nail and your front teeth. A ramp stands still while the load moves; a wedge moves while the load stands " +
          "still. Driven into a log, it pushes the two halves apart.",
      },
      {
        kind: "text",
        text:
          "A screw is a ramp that is wound around a rod. The edge of the ramp is called the thread. Turn the screw once and it " +
          "goes into the wood by the distance between two threads. The turn is long and the way into the wood is short, so the " +
          "screw presses the boards together with great force.",
      },
      { kind: "figure", drawing: "screw", caption: "Figure 4: A paper ramp wound around a pencil shows the thread." },
    ],
  },
  {
    number: 8,
    head: about.title,
    blocks: [
      {
        kind: "text",
        text:
          "Screws do more than hold things. The screw of a jack lifts a car, the screw of a press squeezes the juice out of " +
          "apples, and the lid of a jam jar is a screw with a wide thread. A screw with threads that lie close together turns " +
          "easily but has to be turned often.",
      },
      {
        kind: "list",
        label: "Activity 2: Make a thread",
        items: [
          "Cut a long triangle out of paper and colour its sloping edge.",
          "Wind the paper around a pencil, beginning with the short side.",
          "Follow the coloured edge with your finger: it climbs like a road.",
        ],
        marker: "number",
      },
      {
        kind: "list",
        label: "Review questions",
        items: [
          "What is a wedge? Name two wedges in a workshop.",
          "Why does a screw with a fine thread turn easily?",
          "Which simple machine would you use to lift a car, and why?",
        ],
        marker: "number",
      },
    ],
  },
];
