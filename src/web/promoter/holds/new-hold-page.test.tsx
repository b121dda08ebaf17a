import { useQuery } from "@tanstack/react-query";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import type { ComponentProps } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { apiError, press, renderInMantine, type } from "../../dashboard/test-providers.tsx";
import type { Hold } from "../../lib/api/promoter/holds.ts";
import { addDays, describeDay, formatDay, localToday } from "../../lib/format/dates.ts";
import NewHoldPage, { NewHoldForm } from "./new-hold-page.tsx";

const [placeHold, placed, readHolds, readArtist] = [vi.fn(), vi.fn(), vi.fn(), vi.fn()];
vi.mock("../../lib/api/promoter/holds.ts", () => ({
  useHoldArtist: () => readArtist(),
  useOwnHolds: () => useQuery({ queryKey: ["holds"], queryFn: readHolds, retry: false }),
  usePlaceHold: () => ({ mutateAsync: placeHold }),
}));

/** Days from the first of next month on, all in one month. */
const firstOfNextMonth = addDays(`${localToday().slice(0, 8)}01`, 32).slice(0, 8);
const day = (number: number) => `${firstOfNextMonth}${String(number).padStart(2, "0")}`;

beforeEach(() => {
  placeHold.mockReset();
  placed.mockReset();
  readArtist.mockReturnValue({ data: { ...artist, hold_days: 7 }, error: null });
});

const artist = {
  slug: "electric-dreams",
  name: "Electric Dreams",
  base_rate: 150_000,
  currency: "usd",
  price_confirmed: true,
  declined_kinds: ["wedding" as const],
  taken: [
    { date: day(2), state: "hold" as const },
    { date: day(4), state: "booked" as const },
  ],
  minimum_notice: 0,
  maximum_booking_days: 365,
  time_zone: "UTC",
};
const ownHold = {
  id: "own",
  artist: { slug: "electric-dreams" },
  nights: [{ night: day(3), state: "active" }],
} as Hold;

const openPage = () => {
  const params = { slug: artist.slug, night: day(1) };
  renderInMantine(<NewHoldPage {...({ params } as ComponentProps<typeof NewHoldPage>)} />);
};

const openForm = (night = day(1)) =>
  renderInMantine(<NewHoldForm artist={artist} holdDays={7} ownHolds={[ownHold]} night={night} onPlaced={placed} />);

test("opens the form if the promoter's holds cannot be loaded, and stops the requests", async () => {
  readHolds.mockRejectedValue(new Error("500"));
  openPage();
  expect(await screen.findByRole("button", { name: /^Hold/ })).toBeTruthy();
  expect(readHolds).toHaveBeenCalledTimes(1);
});

test("leads to the other artists if the artist does not exist, without Retry", () => {
  readArtist.mockReturnValue({ data: undefined, error: apiError("not_found", "Artist not found", 404) });
  openPage();
  expect(screen.getByRole("link", { name: "Browse Artists" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Retry" })).toBeNull();
});

const choose = (number: number, state = "free") => press(`${describeDay(day(number))}, ${state}`);

test("selects up to three nights, including one on hold, and none that is booked or already held", async () => {
  openForm();
  expect(screen.getByText(formatDay(day(1)), { selector: "strong" })).toBeTruthy();
  choose(2, "on hold");
  expect(screen.getByText(/You join the queue behind them/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: `${describeDay(day(4))}, booked` })).toBeNull();
  choose(3, "on hold");
  expect(screen.getByRole("status").textContent).toContain(`${formatDay(day(3))}: You hold this night already.`);
  choose(5);
  choose(6);
  expect(screen.getByRole("status").textContent).toContain("at most 3 nights");
  choose(7);
  await screen.findByText(/at most 3 nights/, { selector: "[aria-live=polite]" });
  press(`Remove ${formatDay(day(1))}`);
  choose(6);
  expect(screen.getByRole("button", { name: "Hold 3 nights" })).toBeTruthy();
});

test("links a requested night that the promoter holds already to its hold, without choosing it", () => {
  openForm(day(3));
  expect(screen.getByRole("status").textContent).toContain("You hold this night already.");
  expect(screen.getByRole("link", { name: "View hold" }).getAttribute("href")).toBe("/promoter/holds#own");
  expect(screen.queryByText(/You join the queue|You would be first/)).toBeNull();
  expect(screen.getByRole("heading", { name: "No night selected" })).toBeTruthy();
});

test("names missing fields, and retains the input after a failure", async () => {
  openForm();
  const types = [...screen.getByLabelText("Event type").querySelectorAll("option")].map(({ value }) => value);
  expect(types).not.toContain("Wedding");
  press("Hold 1 night");
  expect(await screen.findByText("Enter the venue and the town.")).toBeTruthy();
  screen.getByText(/We remind you a day before a hold ends\. .* again 7 days later\./);
  expect(placeHold).not.toHaveBeenCalled();
  type("Venue and town", "The Waterworks, Austin");
  type("Set starts at", "20:30");
  fireEvent.change(screen.getByLabelText("Event type"), { target: { value: "Concert" } });
  placeHold.mockRejectedValueOnce(apiError("conflict", "This night is taken.", 409));
  press("Hold 1 night");
  expect(await screen.findByText("This night is taken.")).toBeTruthy();
  expect((screen.getByLabelText("Venue and town") as HTMLInputElement).value).toBe("The Waterworks, Austin");
  placeHold.mockResolvedValueOnce({});
  press("Hold 1 night");
  await waitFor(() => expect(placed).toHaveBeenCalledOnce());
  expect(placeHold).toHaveBeenLastCalledWith({
    artistId: "electric-dreams",
    nights: [day(1)],
    eventLocation: "The Waterworks, Austin",
    eventTime: "20:30",
    eventType: "Concert",
    note: "",
  });
});
