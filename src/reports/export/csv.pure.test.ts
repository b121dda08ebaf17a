import { expect, test } from "vitest";
import { csvLine, decimal } from "./csv.ts";

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1+1", "＋1", "－1", "＠SUM(A1)"])(
  "writes the text %j as text, not as a formula",
  (text) => {
    expect(csvLine([text]).replace(/^"/, "").startsWith("'")).toBe(true);
  },
);

test("quotes cells with quotes, commas and line ends", () => {
  expect(csvLine(['The "Old" Mill', "a,b", "two\nlines", "a;b", "plain"])).toBe(
    '"The ""Old"" Mill","a,b","two\nlines","a;b",plain\r\n',
  );
});

test("writes numbers as numbers and null as an empty cell", () => {
  expect(csvLine([-12.5, null, 0])).toBe("-12.5,,0\r\n");
});

test("writes amounts with two decimals", () => {
  expect(csvLine([decimal(150_050), decimal(100), decimal(-5), decimal(0)])).toBe("1500.50,1.00,-0.05,0.00\r\n");
});
