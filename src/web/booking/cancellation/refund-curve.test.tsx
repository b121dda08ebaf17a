import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { RefundCurve, spacedLabels } from "./refund-curve.tsx";

const step = (until: string, refund_cents: number) => ({
  until,
  refund_cents,
  artist_keeps_cents: 150_000 - refund_cents,
});
const textsOf = (root: Element) => [...root.querySelectorAll("span")].map(({ textContent }) => textContent);

const figures = {
  refund_cents: 150_000,
  artist_keeps_cents: 0,
  waiting_cents: 0,
  commission_cents: 0,
  currency: "usd",
  valid_until: "2027-01-16T12:00:00.000Z",
  steps: [
    step("2027-01-16T12:00:00.000Z", 150_000),
    step("2027-02-15T12:00:00.000Z", 56_250),
    step("2027-03-17T12:00:00.000Z", 0),
  ],
};

test("labels the refund line with its amounts and the days on which it falls", () => {
  const draw = (now: string) =>
    textsOf(render(<RefundCurve figures={figures} now={new Date(now)} />).container.firstElementChild as Element);
  expect(draw("2026-12-17T12:00:00.000Z")).toEqual(["$1,500", "$562.50", "$0", "now", "16 Jan", "15 Feb", "the show"]);
  // The first step is too close to today for two labels, so its day is shown.
  expect(draw("2027-01-15T12:00:00.000Z")).toEqual(["$1,500", "$562.50", "$0", "16 Jan", "15 Feb", "the show"]);
});

test("omits labels without space, but never the last", () => {
  const at = (...positions: number[]) => positions.map((place) => ({ at: place, text: String(place) }));
  expect(spacedLabels(at(0, 0.1, 0.5, 0.9, 1), 0.2)).toEqual(at(0, 0.5, 1));
  expect(spacedLabels(at(1), 0.2)).toEqual(at(1));
  expect(spacedLabels([], 0.2)).toEqual([]);
});

test("describes a constant refund as text instead of a line, and no refund not at all", () => {
  const steps = [step("2027-02-15T12:00:00.000Z", 150_000), step("2027-03-17T12:00:00.000Z", 150_000)];
  const constant = { ...figures, steps };
  const { container } = render(<RefundCurve figures={constant} now={new Date("2026-12-17T12:00:00.000Z")} />);
  expect(container.textContent).toBe("The refund is $1,500 until the show.");
  expect(container.querySelector("svg")).toBeNull();
  const none = { ...figures, refund_cents: 0, steps: steps.map((one) => ({ ...one, refund_cents: 0 })) };
  expect(render(<RefundCurve figures={none} now={new Date("2026-12-17T12:00:00.000Z")} />).container.innerHTML).toBe(
    "",
  );
});
