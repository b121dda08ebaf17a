import { expect, test } from "vitest";
import { csvLine, decimal } from "./csv.ts";

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])("the text %j is no formula in a spreadsheet", (text) => {
  expect(csvLine([text]).replace(/^"/, "").startsWith("'")).toBe(true);
});

test("quotes, commas and line ends stay inside their cell", () => {
  expect(csvLine(['The "Old" Mill', "a,b", "two\nlines", "plain"])).toBe(
    '"The ""Old"" Mill","a,b","two\nlines",plain\r\n',
  );
});

test("numbers stay numbers, also negative ones; nothing stays empty; moments are instants", () => {
  expect(csvLine([-12.5, null, new Date("2026-11-21T12:00:00Z"), 0])).toBe("-12.5,,2026-11-21T12:00:00.000Z,0\r\n");
  expect(decimal(150_050)).toBe(1500.5);
});
