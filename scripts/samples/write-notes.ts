/** The note among the sample documents: minutes that take up the report, agree with most of it and deny one sentence. */
import { makeDocx } from "../../test/support/sample-books.ts";
import { withFixedTimes } from "./with-fixed-times.ts";

export function writeNotes(): Uint8Array {
  const document = makeDocx({
    title: "Minutes of the water committee",
    author: "Tilda Brock",
    paragraphs: [
      { text: "Minutes of the water committee", style: "Title" },
      { text: "Town hall of Elderwick, 3 March 2031, 19:00 to 20:40. Written by Tilda Brock." },
      { text: "Present", style: "Heading1" },
      { text: "Ilse Farrow (waterworks), Tilda Brock, Anselm Reed, Jorun Vale and eleven guests from the old town." },
      { text: "Report for 2030", style: "Heading1" },
      {
        text:
          "Ilse Farrow presented the report of the waterworks. On an average day the town uses about 3,590 cubic metres of " +
          "water. Two thirds of it come from the reservoir at Hallow Mere, one third from the wells below Fallow Hill. " +
          "Households have used less water every year since the new meters were installed. In the dry summer the level of " +
          "Hallow Mere fell by more than two metres, and nobody was without water for longer than six hours.",
      },
      {
        text:
          "Jorun Vale asked what the burst main in Cooper’s Lane had cost. The answer was 14,200 EUR, of which the insurance " +
          "pays a third. The committee thanked the crew, who had repaired it within a night. The report was accepted with " +
          "three votes; Anselm Reed voted against it, for the reason below.",
      },
      { text: "Leaks in the old town", style: "Heading1" },
      {
        text:
          "Anselm Reed, who reads the meters in the old town, did not agree with the report. Leaks in the pipes of the old " +
          "town have increased since the new valves were fitted. The pipes there are of cast iron and more than eighty years " +
          "old, and they lose water at their joints. He counted nine wet places in the streets in February alone, and showed " +
          "photographs of four of them.",
      },
      {
        text:
          "Ilse Farrow answered that the new valves only show more leaks than before, because nobody had measured the flow of " +
          "water through the pipes at night until then. The crew will walk through the old town with Anselm Reed, street by " +
          "street, close the valves one after the other, and report in April how much water is being lost.",
      },
      { text: "Decisions", style: "Heading1" },
      {
        text:
          "The committee agreed to buy two booster pumps from Tarnside Pumps Ltd, order EW-PO-4471. The old pair from 1987 " +
          "goes to the school of engineering. Brown water is to be announced: before every repair a notice goes to all " +
          "houses of the street, with the advice to open the tap in the cellar until the water runs clear.",
      },
      {
        text:
          "The footpath on the western shore of Hallow Mere keeps a distance of forty metres from the reeds, because great " +
          "crested grebes nest there from April to July.",
      },
      { text: "Open questions", style: "Heading1" },
      { text: "The readings of Anselm Reed are below. The next meeting is on 7 April 2031." },
    ],
    table: [
      ["Street", "Wet places in January", "Wet places in February"],
      ["Market square", "1", "3"],
      ["Tanner Street", "2", "4"],
      ["Cooper’s Lane", "0", "2"],
    ],
  });
  return withFixedTimes(document);
}
