/** The report among the sample documents: four pages with headings, lists, tables and a page in two columns. */
import { type Drawing, heading, ink, keepTogether, list, paintPdf, paragraph, table } from "./paint.ts";

const title = "Elderwick Water Supply: Report for 2030";

export function writeReport(): Promise<Buffer> {
  return paintPdf(title, (document) => {
    let page = 1;
    document.on("pageAdded", () => drawRunningHead(document, ++page));
    drawBeginning(document);
    drawTreatment(document);
    drawPipes(document);
    drawPlans(document);
  });
}

function drawRunningHead(document: Drawing, page: number): void {
  const left = document.page.margins.left;
  document.font("Helvetica").fontSize(8.5).fillColor(ink.soft);
  document.text("Elderwick Town Waterworks", left, 34, { lineBreak: false });
  document.text(`Page ${page}`, left, 34, { width: document.page.width - 2 * left, align: "right", lineBreak: false });
  document.x = left;
  document.y = document.page.margins.top;
}

function drawBeginning(document: Drawing): void {
  document.font("Helvetica-Bold").fontSize(24).fillColor(ink.accent).text("Elderwick Water Supply");
  document.font("Helvetica").fontSize(15).fillColor(ink.soft).text("Report for the year 2030").moveDown(1);
  for (const [label, value] of [
    ["Report number:", "EW-2030-04"],
    ["Date:", "14 February 2031"],
    ["Prepared by:", "Ilse Farrow, supply engineer"],
    ["People supplied:", "18,400"],
  ] as const) {
    const y = document.y;
    document.font("Helvetica-Bold").fontSize(10).fillColor(ink.text).text(label, 64, y, { lineBreak: false });
    document.font("Helvetica").text(value, 170, y, { lineBreak: false });
    document.x = 64;
    document.y = y + 16;
  }
  heading(document, "Summary");
  paragraph(
    document,
    "In 2030 the waterworks delivered 1.31 million cubic metres of drinking water to 18,400 people in Elderwick and the " +
      "villages along the Sill. That is three percent less than the year before, although 210 people moved to the town. " +
      "Two thirds of the water came from the reservoir at Hallow Mere and one third from the three wells below Fallow Hill.",
  );
  paragraph(
    document,
    "The summer was dry. From June to September the level of Hallow Mere fell by 2.4 metres, and in August the town council " +
      "asked people to water gardens in the evening only. Nobody was without water for longer than six hours. The burst main " +
      "in Cooper's Lane on 19 November was repaired within a night.",
  );
  heading(document, "1. Where the water comes from");
  paragraph(
    document,
    "Hallow Mere is a reservoir of 74 hectares, four kilometres north of the town. It was dammed in 1911 and is fed by the " +
      "Sill and by two brooks that run dry in hot summers. An outlet tower takes the water at three depths, so that the " +
      "waterworks can choose the layer that is coldest and clearest. In winter this is the upper one, in summer the middle one.",
  );
  paragraph(
    document,
    "The wells below Fallow Hill are between 38 and 52 metres deep. Their water has fallen as rain about thirty years ago and " +
      "needs no filter. It is hard, with 19 degrees of hardness, and is mixed with the soft water of the reservoir before it " +
      "leaves the pump house.",
  );
}

function drawTreatment(document: Drawing): void {
  heading(document, "2. How the water is treated");
  paragraph(
    document,
    "Water from the reservoir passes through five steps before it reaches the mains. The whole way takes about nine hours.",
  );
  list(
    document,
    [
      "Screens at the outlet tower hold back leaves, branches and fish.",
      "A small dose of iron salt makes fine particles stick together, so that they sink in the settling tanks.",
      "Sand filters, 1.2 metres deep, take out what is left. Each filter is washed every second night.",
      "Ultraviolet light makes bacteria harmless. The lamps are changed after 9,000 hours.",
      "A little chlorine, 0.1 milligrams in a litre, protects the water on its way through the pipes.",
    ],
    (index) => `${index + 1}.`,
  );
  heading(document, "3. How much water the town uses");
  paragraph(
    document,
    "On an average day the town uses 3,590 cubic metres of water, which is 195 litres for each person. Households take more " +
      "than half of it. The table shows the deliveries of three years in thousands of cubic metres.",
  );
  table(document, {
    left: 64,
    widths: [170, 80, 80, 80],
    rows: [
      ["Used by", "2028", "2029", "2030"],
      ["Households", "742", "735", "716"],
      ["Farms and gardens", "231", "244", "228"],
      ["Workshops and shops", "188", "190", "193"],
      ["Schools and public baths", "61", "64", "66"],
      ["Lost by leaks", "139", "121", "107"],
    ],
    numbers: [1, 2, 3],
  });
  paragraph(
    document,
    "Households have used less water in every year since 2026, when the new meters were installed. People who see what they " +
      "use every day use about four percent less of it.",
  );
}

function drawPipes(document: Drawing): void {
  heading(document, "4. Pipes and leaks");
  const height = 178;
  keepTogether(document, height);
  const top = document.y;
  paragraph(
    document,
    "The network has 112 kilometres of pipes. Almost a third of them, most of it in the old town, is of cast iron and older " +
      "than eighty years. Such pipes do not break often, but they lose water at their joints, drop by drop, for years before " +
      "anybody sees it.\n" +
      "In spring the waterworks fitted forty new valves in the old town, which let a crew close a single street instead of a " +
      "whole quarter. At night, when hardly anybody uses water, the flow through each valve shows where water is being lost. " +
      "Leaks in the pipes of the old town have decreased since the new valves were fitted.\n" +
      "The crew found 31 leaks in 2030 and repaired 29 of them in the same year. The largest was under the market square, " +
      "where an old joint had lost eleven cubic metres a day. Two leaks at the railway bridge are small and will be repaired " +
      "together with the bridge.",
    { columns: 2, columnGap: 24, height },
  );
  document.x = 64;
  document.y = top + height;
  paragraph(
    document,
    "The next forty valves are for the lower town. They will be fitted in autumn, street by street, and every house is told " +
      "two days before its water is turned off.",
  );
  heading(document, "5. Brown water");
  paragraph(
    document,
    "People call the waterworks about brown water more often than about anything else: 214 times in 2030, most often from " +
      "Cooper's Lane and Tanner Street. After a repair the water in a house may be brown for some hours, because the flow " +
      "loosens rust in the old pipes. The rust is not harmful, but nobody likes to see it in the kitchen. Open the tap in the " +
      "cellar until the water runs clear. If it is still brown after a day, tell us, and somebody will come with a bottle and " +
      "take a sample.",
  );
  paragraph(
    document,
    "When the main burst in Cooper's Lane in November, houses nearby had brown water for two days. The public fountains have " +
      "pipes of their own and are tested every week. The water from the fountain in Cooper's Lane is safe to drink all year.",
  );
  heading(document, "6. Quality of the water");
  paragraph(
    document,
    "The laboratory took 640 samples, at the pump house, at taps in public buildings and at the five public fountains. All but " +
      "two were within the limits. The two with too much iron came from taps in Cooper's Lane, on the day after the main had " +
      "burst there. Since then the water has been tested there every Monday, and every sample has been within the limits.",
  );
  table(document, {
    left: 64,
    widths: [150, 90, 90, 90],
    rows: [
      ["Measured", "Mean", "Highest", "Limit"],
      ["Nitrate, mg/l", "11.2", "18.4", "50"],
      ["Iron, mg/l", "0.03", "0.24", "0.20"],
      ["Lead, mg/l", "0.001", "0.004", "0.010"],
      ["Hardness, degrees", "9.5", "12.0", "none"],
    ],
    numbers: [1, 2, 3],
  });
}

function drawPlans(document: Drawing): void {
  heading(document, "7. Plans for 2031");
  paragraph(
    document,
    "The town council has set aside 486,000 EUR for the water supply. The waterworks will spend it on:",
  );
  list(
    document,
    [
      "two booster pumps for the pump house, which replace the pair from 1987",
      "900 metres of new pipe in Cooper's Lane and Tanner Street",
      "sensors for pressure at twelve places in the network",
      "a fence and a footpath on the western shore of Hallow Mere, away from the nesting places",
    ],
    () => "•",
  );
  table(document, {
    left: 64,
    widths: [250, 110, 90],
    rows: [
      ["Project", "Begins", "Cost in EUR"],
      ["Booster pumps", "March 2031", "19,400"],
      ["Pipes in Cooper's Lane", "April 2031", "312,000"],
      ["Pressure sensors", "May 2031", "38,600"],
      ["Western shore", "September 2031", "116,000"],
    ],
    numbers: [2],
  });
  heading(document, "8. What you can do");
  paragraph(
    document,
    "Look at your meter in the evening and again in the morning. If it has moved although nobody used water, there is a leak " +
      "in your house. A dripping tap loses fifteen litres a day, a running cistern several hundred. Tell us about wet places " +
      "in the street, also in dry weather: every second leak of the year was found because somebody called.",
  );
  paragraph(
    document,
    "Elderwick Town Waterworks, Pump House, 12 Cooper's Lane, 40233 Elderwick, water@elderwick.example",
  );
}
