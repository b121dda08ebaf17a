import { expect, test, vi } from "vitest";
import { isHoldRow, usePromoterPendingActions } from "./use-promoter-pending-actions.ts";

const night = (name: string, more: object) => ({
  night: name,
  state: "active",
  expires_at: "2027-02-01T18:00:00Z",
  challenge_ends_at: null,
  must_pay: false,
  being_booked: false,
  can: { book: true },
  ...more,
});
const nights = [
  night("2027-02-10", {}),
  night("2027-02-11", { challenge_ends_at: "2027-01-26T10:00:00Z" }),
  night("2027-02-12", { must_pay: true }),
  night("2027-02-13", { must_pay: true, being_booked: true }),
  // Challenged, and not yet the promoter's turn to pay.
  night("2027-02-14", { challenge_ends_at: "2027-01-26T10:00:00Z", can: { book: false } }),
];
const booking = { id: "b1", number: "SD-1", event_date: "2027-02-20", venue_name: "Armory", act_due: null };
let holds: object | undefined;
vi.mock("../lib/api/booking-lists.ts", () => ({ usePromoterBookings: () => ({ query: {}, bookings: [booking] }) }));
vi.mock("../lib/api/promoter/holds.ts", () => ({ useOwnHolds: () => ({ data: holds }) }));

const read = () => usePromoterPendingActions({ search: "", show: "needs_you", sort: undefined }).bookings ?? [];

test("adds held nights with a payment deadline to the bookings", () => {
  holds = { items: [{ id: "h1", event_location: "Waterworks", artist: { name: "Electric Dreams" }, nights }] };
  expect(read().map(({ number, event_date, act_due }) => [number, event_date, act_due?.at])).toEqual([
    ["Challenged hold", "2027-02-11", "2027-01-26T10:00:00.000Z"],
    ["First hold", "2027-02-12", "2027-02-01T18:00:00.000Z"],
    ["SD-1", "2027-02-20", undefined],
  ]);
  expect(read().map(({ id }) => isHoldRow(id))).toEqual([true, true, false]);
});

test("returns the bookings if the holds fail to load", () => {
  holds = undefined;
  expect(read().map(({ id }) => id)).toEqual(["b1"]);
});
