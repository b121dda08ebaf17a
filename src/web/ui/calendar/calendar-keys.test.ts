import { expect, test } from "vitest";
import { dayAfterKey } from "./calendar-keys.ts";

// 13 February 2027 is a Saturday.
test.for([
  ["2027-02-13", "ArrowLeft", "2027-02-12"],
  ["2027-02-13", "ArrowRight", "2027-02-14"],
  ["2027-02-13", "ArrowUp", "2027-02-06"],
  ["2027-02-13", "ArrowDown", "2027-02-20"],
  ["2027-02-28", "ArrowRight", "2027-03-01"],
  ["2027-01-01", "ArrowUp", "2026-12-25"],
  ["2027-02-13", "Home", "2027-02-08"],
  ["2027-02-13", "End", "2027-02-14"],
  ["2027-02-08", "Home", "2027-02-08"],
  ["2027-02-14", "End", "2027-02-14"],
  ["2027-02-13", "PageUp", "2027-01-13"],
  ["2026-12-13", "PageDown", "2027-01-13"],
])("moves from %s by %s to %s", ([from, key, to]) => {
  expect(dayAfterKey(from ?? "", key ?? "")).toBe(to);
});

test("ends on a shorter month's last day, and moves by a year with Shift", () => {
  expect(dayAfterKey("2027-01-31", "PageDown")).toBe("2027-02-28");
  expect(dayAfterKey("2028-02-29", "PageDown", true)).toBe("2029-02-28");
  expect(dayAfterKey("2027-02-13", "PageUp", true)).toBe("2026-02-13");
});

test("returns undefined for other keys and invalid days", () => {
  for (const key of ["Enter", "Tab", "a", "Escape"]) expect(dayAfterKey("2027-02-13", key)).toBeUndefined();
  expect(dayAfterKey("2027-02-30", "ArrowLeft")).toBeUndefined();
});
