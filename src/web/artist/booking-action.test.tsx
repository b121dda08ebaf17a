import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { renderInMantine } from "../dashboard/test-providers.tsx";
import type { ArtistBooking } from "../lib/api/booking-lists.ts";
import { BookingAction } from "./booking-action.tsx";

vi.mock("../booking/actions/release-dialog.tsx", () => ({ useReleaseDialog: () => vi.fn() }));
vi.mock("../booking/actions/balance-actions.tsx", () => ({ CreateBalanceLink: () => null }));
vi.mock("../booking/contract/sign-contract.tsx", () => ({ SignContract: () => null }));

const booking = {
  id: "5b1f5f38-6a4c-4f1f-9a3e-0d4d4b1c2f01",
  promoter_name: "Hannah Whitt",
  time_zone: "America/Chicago",
  can: { release: true },
  hold: { expires_at: "2026-11-21T20:36:00.000Z" },
} as unknown as ArtistBooking;

const draw = (alone: boolean) => renderInMantine(<BookingAction booking={booking} primary={false} alone={alone} />);

test("a row of the list says until when the date is held, beside the button that releases it", () => {
  draw(false);
  screen.getByRole("button", { name: "Release" });
  expect(screen.getByText(/^On hold until/).textContent).toBe("On hold until 14:36 (US Central)");
});

test("where the row says the time itself, the button stands alone", () => {
  draw(true);
  screen.getByRole("button", { name: "Release" });
  expect(screen.queryByText(/On hold/)).toBeNull();
});
