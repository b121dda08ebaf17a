import { fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { createRoutesStub, Link } from "react-router";
import { expect, test } from "vitest";
import { Calendar, type CalendarDay } from "./calendar.tsx";

const february = { year: 2027, month: 2 };
const focused = () => document.activeElement as HTMLElement;
const press = (key: string, more: object = {}) => fireEvent.keyDown(focused(), { key, ...more });
const dateOf = (element: Element | null) => element?.getAttribute("data-date");

type More = Partial<Parameters<typeof Calendar>[0]>;

function open(more: More = {}) {
  function Page() {
    const [month, setMonth] = useState(february);
    const [chosen, setChosen] = useState<string>();
    const dayOf = (date: string): CalendarDay =>
      date === "2027-02-13"
        ? { label: "booked", state: "booked" }
        : { label: "free", choosable: true, chosen: date === chosen };
    return (
      <Calendar
        month={month}
        onMonth={setMonth}
        first={february}
        last={{ year: 2027, month: 3 }}
        label="Availability"
        today="2027-02-03"
        className={undefined}
        dayOf={dayOf}
        onChoose={setChosen}
        {...more}
      />
    );
  }
  const Stub = createRoutesStub([{ path: "/", Component: Page }]);
  render(<Stub />);
}
const day = (name: string) => screen.getByRole("button", { name });

test("renders a month as a named grid, and names every day with its date and state", () => {
  open();
  const grid = screen.getByRole("grid", { name: "Availability in February 2027" });
  expect(grid.querySelectorAll("tbody tr")).toHaveLength(4);
  expect(screen.getAllByRole("columnheader")).toHaveLength(7);
  expect(day("Friday 12 February 2027, free").textContent).toBe("12");
  const booked = screen.getByRole("gridcell", { name: "Saturday 13 February 2027, booked" });
  expect(booked.getAttribute("aria-disabled")).toBe("true");
  expect(booked.querySelector("button")).toBeNull();
  expect(grid.querySelectorAll('[aria-current="date"]')).toHaveLength(1);
});

test("has one tab stop, and moves between days by arrow keys, over booked ones and into the next month", () => {
  open();
  expect(document.querySelectorAll('[tabindex="0"]')).toHaveLength(1);
  day("Friday 12 February 2027, free").focus();
  press("ArrowRight");
  expect(dateOf(focused())).toBe("2027-02-13");
  expect(document.querySelectorAll('[tabindex="0"]')).toHaveLength(1);
  press("End");
  expect(dateOf(focused())).toBe("2027-02-14");
  press("Home");
  expect(dateOf(focused())).toBe("2027-02-08");
  press("PageDown");
  expect(dateOf(focused())).toBe("2027-03-08");
  expect(screen.getByRole("grid", { name: "Availability in March 2027" })).toBeTruthy();
  press("ArrowUp");
  press("ArrowUp");
  expect(dateOf(focused())).toBe("2027-02-22");
});

test("stops keys and buttons at the available months", () => {
  open();
  day("Monday 1 February 2027, free").focus();
  press("ArrowLeft");
  press("PageUp");
  press("PageDown", { shiftKey: true });
  expect(dateOf(focused())).toBe("2027-02-01");
  const previous = screen.getByRole("button", { name: "Previous month" });
  expect(previous.getAttribute("aria-disabled")).toBe("true");
  fireEvent.click(previous);
  expect(screen.getByRole("heading", { name: "February 2027" })).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Next month" }));
  expect(screen.getByRole("heading", { name: "March 2027" })).toBeTruthy();
});

test("retains the focus on the button of the next month, and announces each month in the same live region", () => {
  open();
  const next = screen.getByRole("button", { name: "Next month" });
  const heading = screen.getByRole("heading", { name: "February 2027" });
  next.focus();
  fireEvent.click(next);
  expect(focused()).toBe(next);
  expect(heading.textContent).toBe("March 2027");
  expect(heading.isConnected && heading.getAttribute("aria-live")).toBe("polite");
});

test("leaves the browser's keys to the browser", () => {
  open();
  day("Friday 12 February 2027, free").focus();
  // fireEvent returns false if the page prevented the default action.
  expect(press("ArrowLeft", { altKey: true })).toBe(true);
  expect(press("Tab")).toBe(true);
  expect(dateOf(focused())).toBe("2027-02-12");
});

test("marks the chosen day, and makes it the tab stop", () => {
  open();
  fireEvent.click(day("Saturday 20 February 2027, free"));
  const chosen = day("Saturday 20 February 2027, free, chosen");
  expect(chosen.tabIndex).toBe(0);
  expect(chosen.closest("td")?.getAttribute("aria-selected")).toBe("true");
  expect(document.querySelectorAll('[aria-selected="true"]')).toHaveLength(1);
});

test("renders two months as two grids with one tab stop, and moves across and beyond them", () => {
  open({ count: 2, last: { year: 2027, month: 4 } });
  expect(screen.getAllByRole("grid")).toHaveLength(2);
  expect(document.querySelectorAll('[tabindex="0"]')).toHaveLength(1);
  day("Sunday 28 February 2027, free").focus();
  press("ArrowRight");
  expect(dateOf(focused())).toBe("2027-03-01");
  expect(screen.getByRole("heading", { name: "February 2027" })).toBeTruthy();
  press("PageDown");
  expect(dateOf(focused())).toBe("2027-04-01");
  expect(screen.getAllByRole("heading").map(({ textContent }) => textContent)).toEqual(["March 2027", "April 2027"]);
  expect(screen.getByRole("button", { name: "Next month" }).getAttribute("aria-disabled")).toBe("true");
});

test("enters a day's links with Enter, moves between them by arrow keys, and leaves with Escape", () => {
  const links = ["First", "Second"].map((name) => (
    <Link key={name} to="/" tabIndex={-1}>
      {name}
    </Link>
  ));
  const dayOf = (date: string): CalendarDay =>
    date === "2027-02-10" ? { label: "two shows", content: links } : { label: "no shows" };
  function Page() {
    return <Calendar month={february} onMonth={() => 0} label="Shows" today="2027-02-10" className="" dayOf={dayOf} />;
  }
  const Stub = createRoutesStub([{ path: "/", Component: Page }]);
  render(<Stub />);
  const cell = screen.getByRole("gridcell", { name: /^Wednesday 10 February 2027, two shows/ });
  // Nothing can be chosen here, so nothing is marked as disabled or selected.
  expect([cell.getAttribute("aria-disabled"), cell.getAttribute("aria-selected")]).toEqual([null, null]);
  cell.focus();
  press("Enter");
  expect(focused().textContent).toBe("First");
  press("ArrowDown");
  expect(focused().textContent).toBe("Second");
  press("ArrowUp");
  expect(focused().textContent).toBe("First");
  press("Escape");
  expect(focused()).toBe(cell);
  press("Enter");
  press("ArrowRight");
  expect(dateOf(focused())).toBe("2027-02-11");
});
