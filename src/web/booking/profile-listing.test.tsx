import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { currentToasts } from "../lib/toasts.ts";
import { ProfileListing } from "./profile-listing.tsx";
import type { BookingResponse } from "./status/progress.ts";
import { shownBooking } from "./test-booking.ts";

const calls = vi.hoisted(() => ({ set: vi.fn(), takeOff: vi.fn() }));
vi.mock("../lib/api/browser-api.ts", () => ({ browserApi: { bookings: { listing: calls } } }));

const show = { date: "2027-02-13", town: "Oakland", venue: "The Fox Parlor" };
const onChanged = vi.fn();
const open = (more: Partial<BookingResponse>) =>
  render(<ProfileListing booking={{ ...shownBooking, ...more } as BookingResponse} onChanged={onChanged} />);

beforeEach(() => vi.resetAllMocks());

test("shows the artist what visitors see, and lists the show", async () => {
  open({ viewer: "artist", listing: { state: "off", show } });
  const field = screen.getByRole<HTMLInputElement>("switch", { name: "List this show" });
  expect(field.checked).toBe(false);
  expect(screen.getByText(/^Visitors see/).textContent).toContain(
    "13 February 2027, The Fox Parlor, Oakland, and nothing else",
  );
  await userEvent.click(field);
  expect(calls.set).toHaveBeenCalledWith({ id: shownBooking.id, listed: true });
  await waitFor(() => expect(onChanged).toHaveBeenCalledOnce());
});

test("tells the artist that the promoter took the show off, without a switch", () => {
  open({ viewer: "artist", listing: { state: "taken_off", show } });
  screen.getByText(/^The promoter took this show off your profile/);
  expect(screen.queryByRole("switch")).toBeNull();
});

test.each(["promoter", "guest"] as const)(
  "tells the %s that the show is listed, who can take it off",
  async (viewer) => {
    open({ viewer, listing: { state: "listed", show: { ...show, venue: null } } });
    expect(screen.getByText(/lists this show for visitors/).textContent).toContain(
      "13 February 2027, Oakland. Nothing else of the booking is public. If you take it off, Electric Dreams cannot list it again.",
    );
    calls.takeOff.mockRejectedValueOnce(new TypeError("network"));
    const button = screen.getByRole("button", { name: "Take off the profile" });
    await userEvent.click(button);
    await waitFor(() => expect(currentToasts().map(({ title }) => title)).toContain("The show could not be changed"));
    await userEvent.click(await screen.findByRole("button", { name: "Take off the profile" }));
    expect(calls.takeOff).toHaveBeenCalledTimes(2);
  },
);

test.each([{ viewer: "admin" as const }, { viewer: "guest" as const, mailbox_unverified: true }])(
  "shows no button to $viewer",
  (more) => {
    open({ ...more, listing: { state: "listed", show } });
    expect(screen.getByText(/lists this show for visitors/).textContent).not.toContain("you take it off");
    expect(screen.queryByRole("button")).toBeNull();
  },
);

test("shows nothing of a booking that cannot be listed", () => {
  expect(open({ viewer: "artist", listing: null }).container.textContent).toBe("");
});
