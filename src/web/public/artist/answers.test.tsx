import { render, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { Answers, usualAnswer } from "./answers.tsx";

const counts = (requests: number, within_3_hours: number, within_a_day: number) => ({
  requests,
  within_3_hours,
  within_a_day,
});

test("shows the answers by time as text, whose bars are hidden from screen readers", () => {
  render(<Answers counts={counts(40, 26, 12)} />);
  expect(screen.getByText(/^Of the last|as a rule/).textContent).toBe(
    "Within 3 hours, as a rule. Of the last 40 requests:",
  );
  const lines = within(screen.getByRole("list", { name: "Requests by time of the answer" })).getAllByRole("listitem");
  expect(lines.map(({ textContent }) => textContent)).toEqual([
    "within 3 hours26",
    "within a day12",
    "later or not at all2",
  ]);
  expect(lines.every((line) => line.querySelector("i")?.closest("[aria-hidden]"))).toBe(true);
});

test.each([
  [counts(6, 4, 0), "3 hours"],
  [counts(6, 3, 1), "a day"],
  [counts(6, 2, 1), undefined],
  [null, undefined],
])("usualAnswer of %j is the time of more than half of the requests: %s", (given, usual) => {
  expect(usualAnswer(given)).toBe(usual);
});
