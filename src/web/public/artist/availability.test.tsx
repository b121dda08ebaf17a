import { fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { createRoutesStub } from "react-router";
import { afterEach, expect, test, vi } from "vitest";
import { addDays, describeDay, formatDay, formatMonthOf, localToday } from "../../lib/format/dates.ts";
import { artistLimits, firstFree, firstFreeWeekend } from "../../ui/date-field/day-limits.ts";
import { Availability, BookPanel, useChosenDate } from "./availability.tsx";

const server = vi.hoisted(() => ({ me: vi.fn(), mine: vi.fn() }));
vi.mock("../../lib/api/browser-api.ts", () => ({
  browserApi: { users: { me: server.me }, calendar: { holds: { mine: server.mine } } },
}));

const first = addDays(localToday(), 7);

afterEach(() => {
  delete document.documentElement.dataset["signedIn"];
});

async function openCalendar(bookedDays: number, searched?: string) {
  const taken = Array.from({ length: bookedDays + 1 }, (_, at) => ({
    date: addDays(first, at),
    state: at < bookedDays ? ("booked" as const) : ("hold" as const),
  }));
  const artist = {
    slug: "electric-dreams",
    taken,
    base_rate: 150_000,
    currency: "usd",
    price_confirmed: true,
    hold_days: 7,
    minimum_notice: 7,
    maximum_booking_days: 365,
    time_zone: "UTC",
  };
  function Page() {
    const [chosen, setChosen] = useState(searched);
    return (
      <>
        <Availability artist={artist} chosen={chosen} onChoose={setChosen} />
        <BookPanel {...useChosenDate({ artist, chosen, town: "Austin" })} />
      </>
    );
  }
  const Stub = createRoutesStub([{ path: "/", Component: Page }]);
  render(<Stub />);
  await screen.findByRole("grid");
}

test("opens on the first month with a free Friday or Saturday", async () => {
  await openCalendar(70);
  const limits = artistLimits({ taken: [], minimum_notice: 78, maximum_booking_days: 365, time_zone: "UTC" });
  const weekend = firstFreeWeekend(limits) ?? "";
  expect([5, 6]).toContain(new Date(`${weekend}T12:00:00Z`).getUTCDay());
  expect(screen.getByRole("heading", { level: 3 }).textContent).toBe(formatMonthOf(weekend));
});

const shownMonths = () => screen.getAllByRole("heading", { level: 3 }).map((one) => one.textContent);
const bookAddress = () => screen.getByRole("link", { name: /^(Book Me Now|Join the queue)$/ }).getAttribute("href");

test("opens on the month of a searched date, with the date chosen", async () => {
  const date = addDays(first, 200);
  await openCalendar(2, date);
  expect(shownMonths()).toEqual([formatMonthOf(date)]);
  screen.getByRole("button", { name: `${describeDay(date)}, free, chosen` });
  expect(screen.getByText("Free", { selector: "strong" }).closest("div")?.textContent).toContain(formatDay(date));
  expect(bookAddress()).toBe(`/book/electric-dreams?date=${date}&town=Austin`);
});

test.each([
  ["Booked", first],
  ["On hold", addDays(first, 2)],
  ["Cannot be booked", addDays(localToday(), -40)],
  ["Cannot be booked", addDays(localToday(), 500)],
])("shows that a searched date is not free: %s", async (state, date) => {
  await openCalendar(2, date);
  screen.getByText(state, { selector: "strong" });
  expect(screen.queryByText("Free", { selector: "strong" })).toBeNull();
  expect(shownMonths()).not.toContain(formatMonthOf(addDays(localToday(), -40)));
  expect(shownMonths()).not.toContain(formatMonthOf(addDays(localToday(), 500)));
  expect(bookAddress()).toContain(date);
  const hold = screen.queryByRole("link", { name: "Hold nights" })?.getAttribute("href");
  expect(hold).toBe(state === "On hold" ? undefined : "/promoter/holds/new/electric-dreams");
});

test("links a signed-in promoter's own hold of the chosen date", async () => {
  const date = addDays(first, 2);
  document.documentElement.dataset["signedIn"] = "";
  server.me.mockResolvedValue({ role: "promoter" });
  const nights = [{ night: date, state: "active" }];
  server.mine.mockResolvedValue({ items: [{ id: "own", artist: { slug: "electric-dreams" }, nights }] });
  await openCalendar(2, date);
  const link = await screen.findByRole("link", { name: "View hold" });
  expect(link.getAttribute("href")).toBe("/promoter/holds#own");
  screen.getByText("You hold this night", { selector: "strong" });
  expect(screen.queryByRole("link", { name: "Join the queue" })).toBeNull();
});

test("loads no holds for a visitor", async () => {
  server.me.mockReset();
  await openCalendar(2, addDays(first, 2));
  expect(bookAddress()).toContain("/holds/new/");
  expect(server.me).not.toHaveBeenCalled();
});

test("passes a chosen free date to the booking form", async () => {
  await openCalendar(2);
  const limits = artistLimits({ taken: [], minimum_notice: 10, maximum_booking_days: 365, time_zone: "UTC" });
  const date = firstFreeWeekend(limits) ?? "";
  fireEvent.click(screen.getByRole("button", { name: `${describeDay(date)}, free` }));
  expect(screen.getByRole("button", { name: `${describeDay(date)}, free, chosen` })).toBeTruthy();
  expect(screen.getByRole("link", { name: "Book Me Now" }).getAttribute("href")).toContain(date);
});

test("marks dates between the notice and the last one as free, unless they are on hold or booked", () => {
  const artist = {
    minimum_notice: 2,
    maximum_booking_days: 5,
    time_zone: "UTC",
    taken: [{ date: "2027-01-04", state: "hold" as const }],
  };
  const limits = artistLimits(artist, "2027-01-01");
  const states = ["2027-01-02", "2027-01-03", "2027-01-04", "2027-01-06", "2027-01-07"].map(limits.stateOf);
  expect(states).toEqual(["off", "free", "hold", "free", "off"]);
  expect(firstFree(limits)).toBe("2027-01-03");
});

test("returns no first free date if every date is booked", () => {
  const taken = [0, 1, 2].map((at) => ({ date: addDays("2027-01-01", at), state: "booked" as const }));
  const artist = { minimum_notice: 0, maximum_booking_days: 2, time_zone: "UTC", taken };
  expect(firstFree(artistLimits(artist, "2027-01-01"))).toBeUndefined();
});
