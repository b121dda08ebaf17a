import { act, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { createRoutesStub, Link } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Calendar } from "../../../ui/calendar/calendar.tsx";
import { useNightSelection } from "./night-selection.ts";

const blocked = vi.fn();
let under: Element | null = null;
beforeEach(() => {
  blocked.mockReset();
  vi.useFakeTimers();
  document.elementFromPoint = () => under;
});
afterEach(() => vi.useRealTimers());

function Page() {
  const [month, setMonth] = useState({ year: 2027, month: 2 });
  const { chosen, props } = useNightSelection((nights) => blocked(nights));
  return (
    <div {...props}>
      <Calendar
        month={month}
        onMonth={setMonth}
        label="Nights"
        today="2027-02-03"
        className=""
        multiple
        dayOf={(date) => ({
          label: "free",
          chosen: chosen !== undefined && chosen.from <= date && date <= chosen.to,
          content: date === "2027-02-20" ? <Link to="/">A show</Link> : undefined,
        })}
      />
    </div>
  );
}

const open = () => render(<Stub />);
const Stub = createRoutesStub([{ path: "/", Component: Page }]);
const night = (day: number) =>
  document.querySelector(`[data-date="2027-02-${String(day).padStart(2, "0")}"]`) as HTMLElement;
const chosen = () =>
  [...document.querySelectorAll('[aria-selected="true"]')].map((cell) => cell.getAttribute("data-date")?.slice(8));
const press = (key: string, more: object = {}) =>
  fireEvent.keyDown(document.activeElement as HTMLElement, { key, ...more });
const touch = { pointerType: "touch", button: 0, clientX: 5, clientY: 5 };
const mouse = { pointerType: "mouse", button: 0, buttons: 1 };
const moveTo = (day: number, more: object = mouse) => {
  under = night(day);
  fireEvent.pointerMove(night(day), more);
};

test("selects the nights between by dragging in both directions, and one night or none by a click", () => {
  open();
  expect(screen.getByRole("grid").getAttribute("aria-multiselectable")).toBe("true");
  fireEvent.pointerDown(night(11), mouse);
  moveTo(10);
  moveTo(9);
  expect(chosen()).toEqual(["09", "10", "11"]);
  fireEvent.pointerUp(night(9));
  fireEvent.click(night(9));
  moveTo(15);
  expect(chosen()).toEqual(["09", "10", "11"]);
  fireEvent.pointerDown(night(12), mouse);
  fireEvent.click(night(12));
  expect(chosen()).toEqual(["12"]);
  fireEvent.pointerDown(night(14), mouse);
  fireEvent.click(night(14), { shiftKey: true });
  expect(chosen()).toEqual(["12", "13", "14"]);
  for (let count = 0; count < 2; count += 1) {
    fireEvent.pointerDown(night(14), mouse);
    fireEvent.click(night(14));
  }
  expect(chosen()).toEqual([]);
});

test("ignores a drag from a link, and ends a drag if the button was released outside", () => {
  open();
  fireEvent.pointerDown(screen.getByRole("link", { name: "A show" }), mouse);
  moveTo(21);
  expect(chosen()).toEqual([]);
  fireEvent.pointerDown(night(9), mouse);
  moveTo(11, { ...mouse, buttons: 0 });
  expect(chosen()).toEqual([]);
});

test("scrolls on a touch, and after a long press on a night selects without scrolling", () => {
  open();
  const scrolls = () => fireEvent.touchMove(night(9));
  fireEvent.pointerDown(night(9), touch);
  moveTo(16, { ...touch, clientY: 60 });
  act(() => void vi.advanceTimersByTime(1_000));
  expect([chosen(), scrolls()]).toEqual([[], true]);
  fireEvent.pointerDown(night(9), touch);
  act(() => void vi.advanceTimersByTime(400));
  expect([chosen(), scrolls()]).toEqual([["09"], false]);
  moveTo(10, { ...touch, clientX: 60 });
  fireEvent.pointerUp(night(9));
  expect(chosen()).toEqual(["09", "10"]);
});

test("extends the selection by Shift and arrows across months, blocks with B, and clears with Escape", () => {
  open();
  act(() => night(27).focus());
  press("b");
  expect(blocked).toHaveBeenLastCalledWith({ from: "2027-02-27", to: "2027-02-27" });
  press("ArrowRight", { shiftKey: true });
  press("ArrowRight", { shiftKey: true });
  expect(document.activeElement?.getAttribute("data-date")).toBe("2027-03-01");
  press("B");
  expect(blocked).toHaveBeenLastCalledWith({ from: "2027-02-27", to: "2027-03-01" });
  press("ArrowLeft", { shiftKey: true });
  press("ArrowLeft", { shiftKey: true });
  press("ArrowLeft", { shiftKey: true });
  press("b");
  expect(blocked).toHaveBeenLastCalledWith({ from: "2027-02-26", to: "2027-02-27" });
  expect(chosen()).toEqual(["26", "27"]);
  press("Escape");
  expect(chosen()).toEqual([]);
  press(" ");
  expect(chosen()).toEqual(["26"]);
  press("ArrowUp");
  expect(chosen()).toEqual([]);
  expect(press("b", { ctrlKey: true })).toBe(true);
  expect(blocked).toHaveBeenCalledTimes(3);
});
