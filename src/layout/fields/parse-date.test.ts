import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDate } from "./parse-date.ts";

describe("parseDate", () => {
  test.each([
    ["2024-01-31", "2024-01-31"],
    ["2024/1/5", "2024-01-05"],
    ["31.01.2024", "2024-01-31"],
    ["05.03.2018", "2018-03-05"],
    ["31/01/2024", "2024-01-31"],
    ["01/31/2024", "2024-01-31"],
    ["07.05.14", "2014-05-07"],
    ["9/17/84", "1984-09-17"],
    ["5 January 2024", "2024-01-05"],
    ["5th of January, 2024", "2024-01-05"],
    ["Jan 5, 2024", "2024-01-05"],
    ["August 3 , 2014", "2014-08-03"],
    ["5 janvier 2024", "2024-01-05"],
    ["1er août 2023", "2023-08-01"],
    ["5. Januar 2024", "2024-01-05"],
    ["7. März 2021", "2021-03-07"],
    ["5 de enero de 2024", "2024-01-05"],
    ["5 gennaio 2024", "2024-01-05"],
    ["18 april 2014", "2014-04-18"],
    ["12-Mar-2020", "2020-03-12"],
    ["15/APR/2017", "2017-04-15"],
    ["2024年1月31日", "2024-01-31"],
    ["due on 2024-02-29 at the latest", "2024-02-29"],
  ])("%s", (text, iso) => {
    expect(parseDate(text)?.iso).toBe(iso);
  });

  test("leaves day and month undecided until the page's order is known", () => {
    expect(parseDate("03/04/2024")).toMatchObject({ text: "03/04/2024", proves: "either" });
    expect(parseDate("03/04/2024")?.iso).toBeUndefined();
    expect(parseDate("03/04/2024", "day-month")?.iso).toBe("2024-04-03");
    expect(parseDate("03/04/2024", "month-day")?.iso).toBe("2024-03-04");
    expect(parseDate("04/04/2024")?.iso).toBe("2024-04-04");
  });

  test.each([
    "31.02.2024",
    "2023-02-29",
    "13/13/2024",
    "2.2.22",
    "1.2.3.4",
    "192.168.10.20",
    "12:30",
    "5 potatoes 2024",
    "",
  ])("no date: %s", (text) => {
    expect(parseDate(text)).toBeUndefined();
  });

  test("reads back every day however it is written", () => {
    const day = fc.date({ min: new Date("1950-01-01"), max: new Date("2049-12-31"), noInvalidDate: true });
    fc.assert(
      fc.property(day, (date) => {
        const iso = date.toISOString().slice(0, 10);
        const [year = "", month = "", dayOfMonth = ""] = iso.split("-");
        const named = (locale: string) =>
          new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(date);
        expect(parseDate(iso)?.iso).toBe(iso);
        expect(parseDate(`${dayOfMonth}.${month}.${year}`)?.iso).toBe(iso);
        expect(parseDate(`${dayOfMonth}/${month}/${year}`, "day-month")?.iso).toBe(iso);
        expect(parseDate(`${month}/${dayOfMonth}/${year}`, "month-day")?.iso).toBe(iso);
        for (const locale of ["en-US", "en-GB", "de-DE", "fr-FR", "es-ES", "it-IT", "nl-NL", "ja-JP"]) {
          expect(parseDate(named(locale))?.iso).toBe(iso);
        }
      }),
    );
  });

  test("never throws, and says where the date stands", () => {
    const pieces = fc.constantFrom("3", "31", "2024", ".", "/", "-", " ", "Mai", "年", "x", ",");
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join("")),
        ),
        (text) => {
          const date = parseDate(text);
          if (date) expect(text.slice(date.start, date.end)).toBe(date.text);
          if (date?.iso) expect(new Date(`${date.iso}T00:00:00Z`).toISOString().slice(0, 10)).toBe(date.iso);
        },
      ),
    );
  });
});
