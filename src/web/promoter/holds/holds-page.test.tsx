import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { apiError, press, renderInMantine } from "../../dashboard/test-providers.tsx";
import type { Hold, HoldNight } from "../../lib/api/promoter/holds.ts";
import HoldsPage from "./holds-page.tsx";

const [refetch, release, challenge, book, leave] = Array.from({ length: 5 }, () => vi.fn());
let error: Error | null = null;
let data: { items: Hold[] } | undefined;
vi.mock("../../lib/api/promoter/holds.ts", () => ({
  useOwnHolds: () => ({ error, data, refetch }),
  useHoldActions: () => ({
    release: { mutateAsync: release },
    challenge: { mutateAsync: challenge },
    book: { mutateAsync: book, isPending: false },
  }),
}));
vi.mock("../../lib/browser/leave-site.ts", () => ({ goToAddress: (to: string) => leave?.(to) }));

const night = (more: Partial<HoldNight> = {}): HoldNight => ({
  night: "2027-02-12",
  rank: 1,
  state: "active",
  expires_at: "2027-02-01T18:00:00Z",
  ended_at: null,
  again_from: null,
  challenge_ends_at: null,
  pays_from: null,
  must_pay: false,
  is_challenger: false,
  has_challenged: false,
  being_booked: false,
  requested: false,
  requested_by_artist: false,
  busy_elsewhere: false,
  may_be_paid: false,
  released_for: null,
  first_until: null,
  booking_id: null,
  can: { release: true, book: true, challenge: false, extend: false, move: false, convert: false },
  ...more,
});
const hold = (nights: HoldNight[], name = "Electric Dreams"): Hold => ({
  id: `hold of ${name}`,
  artist: { name, slug: "electric-dreams", genre: "electronic", location: "Austin", time_zone: "America/Chicago" },
  promoter_name: "Jordan Ellis",
  by_hand: false,
  email: null,
  event_time: "20:30",
  event_location: "The Waterworks, Austin",
  event_type: "Wedding",
  note: "",
  created_at: "2027-01-25T18:00:00Z",
  deposit: { cents: 37_500, currency: "usd" },
  challenge_hours: 24,
  nights,
  can: { release: true, book: true, challenge: false, extend: false, move: false, convert: false },
});
const second = night({
  night: "2027-02-19",
  rank: 2,
  first_until: "2027-02-01T12:00:00Z",
  can: { release: true, book: false, challenge: true, extend: false, move: false, convert: false },
});

beforeEach(() => {
  // The shows of this file are in 2027.
  vi.setSystemTime(new Date("2026-11-29T12:00:00Z"));
  [error, data] = [null, { items: [] }];
  for (const action of [refetch, release, challenge, book, leave]) action?.mockReset();
});

test("links to the artists if there are no holds, and shows a failure with Retry", () => {
  const shown = renderInMantine(<HoldsPage />);
  expect(screen.getByRole("heading", { name: "No holds yet" })).toBeTruthy();
  shown.unmount();
  [error, data] = [apiError("unavailable", "The database cannot be reached.", 503), undefined];
  renderInMantine(<HoldsPage />);
  expect(screen.queryByText("No holds yet")).toBeNull();
  press("Retry");
  expect(refetch).toHaveBeenCalledOnce();
});

test("lists the hold that must be paid first on top, with amount and time left", () => {
  const challenged = night({ challenge_ends_at: "2027-01-26T10:00:00Z" });
  data = { items: [hold([night()]), hold([challenged], "Velvet Hour")] };
  renderInMantine(<HoldsPage />);
  const names = screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent);
  expect(names).toEqual(["Velvet Hour", "Electric Dreams"]);
  expect(screen.getByText("Challenged.")).toBeTruthy();
  expect(screen.getByText(/^Pay \$375 by .*, or you lose this night\.$/)).toBeTruthy();
  expect(screen.getByRole("button", { name: /^Pay \$375/ })).toBeTruthy();
  expect(screen.getByText(/You have the first hold, until/)).toBeTruthy();
});

test("opens the checkout to book a night", async () => {
  data = { items: [hold([night()])] };
  book?.mockResolvedValueOnce({ booking_id: "b", checkout_url: "https://pay.example/1" });
  renderInMantine(<HoldsPage />);
  press(/^Book, \$375 now/);
  await waitFor(() => expect(leave).toHaveBeenCalledWith("https://pay.example/1"));
  expect(book).toHaveBeenCalledWith({ id: "hold of Electric Dreams", night: "2027-02-12" });
});

test("links a night at the checkout to its booking, and offers to book one again after its checkout expired", () => {
  const booking_id = "b1";
  data = { items: [hold([night({ booking_id, being_booked: true }), night({ booking_id, night: "2027-02-13" })])] };
  renderInMantine(<HoldsPage />);
  expect(screen.getAllByRole("link", { name: "View booking" })).toHaveLength(1);
  expect(screen.getAllByRole("button", { name: /^Book, / })).toHaveLength(1);
});

test("states that the artist requests the deposit, until when, and links to the booking", () => {
  const booking_id = "b1";
  const requested = night({ booking_id, requested: true, requested_by_artist: true });
  const ended = night({ booking_id, requested: true, night: "2027-02-13" });
  data = { items: [hold([requested, ended])] };
  renderInMantine(<HoldsPage />);
  expect(screen.getByText(/^Electric Dreams requests the deposit of \$375\. Pay it by .* to book/)).toBeTruthy();
  expect(screen.getByRole("link", { name: "View booking" }).getAttribute("href")).toBe("/promoter/bookings/b1");
  expect(screen.getAllByRole("button", { name: /^Book, / })).toHaveLength(1);
});

test("offers no booking while another calendar of the artist is busy at that time", () => {
  data = { items: [hold([night({ busy_elsewhere: true, can: { ...night().can, book: false } })])] };
  renderInMantine(<HoldsPage />);
  expect(screen.getByText(/^Electric Dreams is busy at the time of your event, so you cannot book this/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: /^(?:Book|Pay)/ })).toBeNull();
});

test("explains the outcomes of a challenge before sending it", async () => {
  data = { items: [hold([second])] };
  challenge?.mockResolvedValueOnce({});
  renderInMantine(<HoldsPage />);
  expect(screen.getByText(/You have the second hold\. The first runs until/)).toBeTruthy();
  press(/^Challenge/);
  expect(await screen.findByText("Next 24 hours")).toBeTruthy();
  expect(screen.getByText(/You can challenge once for each night\.$/)).toBeTruthy();
  expect(screen.getByText(/have 24 hours to pay \$375/)).toBeTruthy();
  press("Challenge for 19 February");
  await waitFor(() => expect(challenge).toHaveBeenCalledWith({ id: "hold of Electric Dreams", night: "2027-02-19" }));
});

test("states why a promoter who has challenged for the night cannot do it again", () => {
  data = { items: [hold([{ ...second, has_challenged: true, can: { ...second.can, challenge: false } }])] };
  renderInMantine(<HoldsPage />);
  screen.getByText(/You have challenged for this night before\. You can challenge once for each night\.$/);
  expect(screen.queryByRole("button", { name: /^Challenge/ })).toBeNull();
});

test("releases one night or all after a confirmation", async () => {
  data = { items: [hold([night(), second])] };
  release?.mockResolvedValue({});
  renderInMantine(<HoldsPage />);
  press("Actions: Electric Dreams");
  fireEvent.click(await screen.findByRole("menuitem", { name: /^Release Friday 12 February 2027…$/ }));
  expect(release).not.toHaveBeenCalled();
  fireEvent.click(await screen.findByRole("button", { name: "Release hold" }));
  await waitFor(() => expect(release).toHaveBeenCalledWith({ id: "hold of Electric Dreams", nights: ["2027-02-12"] }));
});

test("states which of several nights cannot be held again", async () => {
  data = { items: [hold([night({ night: "2026-01-02" }), second])] };
  renderInMantine(<HoldsPage />);
  press("Actions: Electric Dreams");
  fireEvent.click(await screen.findByRole("menuitem", { name: /^Release both nights/ }));
  await screen.findByText(/is free for others\. You cannot hold Friday 2 January( 2026)? again\.$/);
});

test("explains why nights have ended", () => {
  const ended = {
    can: { release: false, book: false, challenge: false, extend: false, move: false, convert: false },
    rank: null,
  };
  const lost = night({ ...ended, state: "superseded" });
  const booked = night({ ...ended, state: "booked", night: "2027-02-20", booking_id: "b1" });
  const released = night({ ...ended, state: "released", night: "2027-02-26", released_for: "2027-02-20" });
  data = { items: [hold([lost, booked, released])] };
  renderInMantine(<HoldsPage />);
  expect(screen.getByText("Another promoter has booked this night. Nothing was charged.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "View booking" }).getAttribute("href")).toBe("/promoter/bookings/b1");
  expect(screen.getByText("Released, because you booked Sat 20 Feb.")).toBeTruthy();
  expect(screen.queryByText(/we release your other holds/)).toBeNull();
  expect(screen.queryByRole("button", { name: /^Book/ })).toBeNull();
});

test.each([
  ["expired", "Expired. If your deposit was paid, we book the date or refund you."],
  ["released", "Released. If your deposit was paid, we book the date or refund you."],
  ["superseded", "Another promoter has booked this night. If your deposit was paid, we refund you."],
] as const)("states of a hold that is %s with an unconfirmed checkout that a deposit is refunded", (state, text) => {
  data = { items: [hold([night({ state, rank: null, may_be_paid: true })])] };
  renderInMantine(<HoldsPage />);
  expect(screen.getByText(text)).toBeTruthy();
});

test.each([
  [
    "expired",
    "2027-02-12",
    /^Expired\. Nothing was charged\. You can hold this night again from .*8 Feb.*, if it is still available\.$/,
  ],
  ["released", "2027-02-12", /^Released\. You can hold this night again from .*8 Feb.*, if it is still available\.$/],
  ["lost", "2027-02-12", /^Lost: .* Nothing was charged\. You can hold this night again from .*8 Feb/],
  ["expired", "2027-02-08", "Expired. Nothing was charged."],
  // It is 9 February in UTC, and 8 February in Austin.
  ["expired", "2027-02-09", /^Expired\. .* You can hold this night again/, "2027-02-09T01:00:00Z"],
] as const)(
  "states from when a hold that is %s on %s can be placed again",
  (state, of, text, again: string = "2027-02-08T18:01:00Z") => {
    data = { items: [hold([night({ night: of, state, rank: null, again_from: again })])] };
    renderInMantine(<HoldsPage />);
    expect(screen.getByText(text)).toBeTruthy();
  },
);

test("states from when a first hold can be placed again before it is released", async () => {
  data = { items: [hold([night()])] };
  renderInMantine(<HoldsPage />);
  press("Actions: Electric Dreams");
  fireEvent.click(await screen.findByRole("menuitem", { name: /^Release hold/ }));
  await screen.findByText(/You can hold it again from .*6 Dec.* if it is still free\.$/);
});
