import { fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { createRoutesStub } from "react-router";
import { expect, test, vi } from "vitest";
import { localToday, addDays } from "../../lib/format/dates.ts";
import { Availability, nextFree } from "./availability.tsx";

const first = addDays(localToday(), 7);

/** A calendar in which the first possible days are booked. */
async function openCalendar(bookedDays: number) {
  const taken = Array.from({ length: bookedDays }, (_, at) => ({
    date: addDays(first, at),
    state: "booked" as const,
  }));
  const artist = {
    slug: "electric-dreams",
    taken,
    base_rate: 150_000,
    currency: "usd",
    minimum_notice: 7,
    maximum_booking_days: 365,
  };
  function Page() {
    const [chosen, setChosen] = useState<string>();
    return <Availability artist={artist} chosen={chosen} onChoose={setChosen} />;
  }
  const Stub = createRoutesStub([{ path: "/", Component: Page }]);
  render(<Stub />);
  await screen.findByRole("table");
}

const day = (date: string) => document.querySelector<HTMLElement>(`button[data-date="${date}"]`);

test("the calendar opens on the first month that has a free day", async () => {
  await openCalendar(70);
  expect(day(addDays(first, 70))).not.toBeNull();
});

test("one day is a stop of the tab key; arrows go from free day to free day, into the next month as well", async () => {
  await openCalendar(2);
  const start = addDays(first, 2);
  expect(document.querySelectorAll('button[data-date][tabindex="0"]')).toHaveLength(1);
  expect(day(start)?.tabIndex).toBe(0);
  day(start)?.focus();
  fireEvent.keyDown(day(start) ?? document.body, { key: "ArrowDown" });
  await vi.waitFor(() => expect(document.activeElement).toBe(day(addDays(start, 7))));
  for (let week = 1; week < 5; week++) {
    fireEvent.keyDown(document.activeElement ?? document.body, { key: "ArrowDown" });
    await vi.waitFor(() => expect(document.activeElement).toBe(day(addDays(start, 7 * (week + 1)))));
  }
  fireEvent.click(document.activeElement ?? document.body);
  expect(document.activeElement?.getAttribute("aria-pressed")).toBe("true");
  expect(screen.getByRole("link", { name: "Book Me Now" }).getAttribute("href")).toContain(addDays(start, 35));
});

test("there is no free day beyond the dates that can be asked for", () => {
  const limits = { first: "2027-01-01", last: "2027-01-31" };
  expect(nextFree("2027-02-01", 1, () => "free", limits)).toBeUndefined();
  expect(nextFree("2027-01-05", -7, () => "free", limits)).toBe("2027-01-05");
  expect(nextFree("2027-01-05", 1, () => "booked", limits)).toBeUndefined();
});
