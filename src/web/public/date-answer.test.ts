import { expect, test } from "vitest";
import { dateAnswer } from "./date-answer.ts";

const today = "2027-01-30";
const facts = {
  taken: [
    { date: "2027-02-20", state: "booked" as const },
    { date: "2027-02-21", state: "booked" as const },
    { date: "2027-02-27", state: "hold" as const },
  ],
  minimum_notice: 7,
  maximum_booking_days: 365,
};

test("a date within the limits that nobody has is free, the first and the last one too", () => {
  for (const date of ["2027-02-06", "2027-02-13", "2028-01-30"])
    expect(dateAnswer(date, facts, today)).toEqual({ state: "free" });
});

test("outside the limits the nearest date that can be asked for is offered", () => {
  expect(dateAnswer("2027-02-05", facts, today)).toEqual({ state: "early", limit: "2027-02-06" });
  expect(dateAnswer("2028-01-31", facts, today)).toEqual({ state: "late", limit: "2028-01-30" });
  expect(dateAnswer("2027-01-29", facts, today)).toEqual({ state: "past", limit: "2027-02-06" });
});

test("a taken date offers three free ones: after, before, and the same weekday", () => {
  expect(dateAnswer("2027-02-20", facts, today)).toEqual({
    state: "booked",
    nearest: [
      { date: "2027-02-22", why: "2 days after" },
      { date: "2027-02-19", why: "the day before" },
      { date: "2027-02-13", why: "the Saturday before" },
    ],
  });
});

test("a date on hold is told apart from a booked one", () => {
  expect(dateAnswer("2027-02-27", facts, today)).toMatchObject({
    state: "hold",
    nearest: [{ date: "2027-02-28" }, {}, {}],
  });
});

test("nothing outside the limits is offered, even when that leaves fewer than three", () => {
  const narrow = { ...facts, minimum_notice: 20, maximum_booking_days: 23 };
  expect(dateAnswer("2027-02-21", narrow, today)).toEqual({
    state: "booked",
    nearest: [
      { date: "2027-02-22", why: "the day after" },
      { date: "2027-02-19", why: "2 days before" },
    ],
  });
});

test("text that is no date yet is no answer", () => {
  expect(dateAnswer("", facts, today)).toEqual({ state: "none" });
  expect(dateAnswer("2027-02-31", facts, today)).toEqual({ state: "none" });
});
