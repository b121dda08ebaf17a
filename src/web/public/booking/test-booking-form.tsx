import { act, fireEvent, render, screen } from "@testing-library/react";
import { createRoutesStub } from "react-router";
import { afterEach, beforeEach, vi } from "vitest";
import type { ArtistProfile } from "#artists/api.ts";
import { closeErrors } from "../../lib/toasts.ts";
import { Toaster } from "../../ui/toaster.tsx";
import { BookingForm } from "./booking-form.tsx";

const calls = vi.hoisted(() => ({
  check: vi.fn(),
  request: vi.fn(),
  createContractAndCheckout: vi.fn(),
  releaseOwnHold: vi.fn(),
}));
const templates = vi.hoisted(() => ({ previewForm: vi.fn() }));
const person = vi.hoisted(() => ({ bookingDefaults: vi.fn(), signedInUser: vi.fn() }));
vi.mock("../../lib/api/browser-api.ts", () => ({
  browserApi: { bookings: { ...calls, contract: { templates } }, settings: person },
}));
vi.mock("../../lib/auth/session.ts", () => person);

export { calls, person, templates };

export const artist: ArtistProfile = {
  id: "00000000-0000-4000-8000-000000000001",
  slug: "electric-dreams",
  name: "Electric Dreams",
  genre: "electronic",
  location: "Austin, Texas",
  photo_url: null,
  photo_image: null,
  picture_url: "/art/electric-dreams/poster.svg",
  base_rate: 150_000,
  top_rate: null,
  currency: "usd",
  price_confirmed: true,
  rating: 4.9,
  review_count: 47,
  sample: null,
  samples: [],
  star_counts: [0, 0, 0, 5, 42],
  bio: "",
  video_url: null,
  years_experience: 8,
  specialties: [],
  equipment: [],
  time_zone: "America/Chicago",
  is_active: true,
  created_at: new Date(0),
  media: [],
  reviews: [],
  taken: [],
  similar: [],
  shows: [],
  minimum_notice: 7,
  maximum_booking_days: 365,
  hold_days: null,
  availability_note: "",
  requires_deposit: true,
  answers: null,
  cancellation_policy: "standard",
  declined_kinds: [],
  contact: null,
};
export const price = {
  fee_cents: 150_000,
  currency: "usd",
  deposit_percent: 25,
  deposit_cents: 37_500,
  balance_cents: 112_500,
  balance_due: null,
  policy_name: "standard",
};
export const makeCheck = (state: string, message: string, nearest: { date: string; reason: string }[] = []) => ({
  price,
  checkout: "deposit",
  date: { state, message, nearest, time_zone: "America/Chicago" },
});
export const booking = {
  id: "00000000-0000-4000-8000-000000000002",
  event_date: "2027-02-13",
  event_time: "20:30",
  venue_name: "The Waterworks",
  promoter_email: "hannah@whitt.example",
  ...price,
};
export const apiError = (code: string, status: number, message: string) =>
  Object.assign(new Error(message), { status, code, data: { code, message, requestId: "r-1" } });

export const filled = {
  "Event date": "2027-02-13",
  "Event time": "20:30",
  "Event location": "The Waterworks, Austin",
  "Event type": "Wedding",
  "Full name": "Hannah Whitt",
  Email: "hannah@whitt.example",
  Phone: "+1 512 555 0148",
};

let sent: unknown;
export const sentBooking = (): unknown => sent;
beforeEach(() => {
  sent = undefined;
  calls.check.mockResolvedValue(makeCheck("free", "Saturday 13 February 2027 is free."));
  calls.request.mockResolvedValue(booking);
  calls.createContractAndCheckout.mockResolvedValue({ checkout_url: null });
});
afterEach(() => {
  window.sessionStorage.clear();
  vi.unstubAllGlobals();
  act(closeErrors);
  for (const call of Object.values(calls)) call.mockReset();
});

export async function openForm(date = "", more: Partial<ArtistProfile> = {}, town?: string): Promise<void> {
  const Page = createRoutesStub([
    {
      path: "/",
      Component: () => (
        <>
          <BookingForm artist={{ ...artist, ...more }} searched={{ date, town }} onSent={(stored) => (sent = stored)} />
          <Toaster />
        </>
      ),
    },
  ]);
  render(<Page />);
  await screen.findByLabelText("Full name");
}

export const fill = (values: Record<string, string>) => {
  for (const [label, value] of Object.entries(values))
    fireEvent.change(screen.getByLabelText(label), { target: { value } });
};
export const press = () => {
  const form = document.querySelector("form");
  if (form) fireEvent.submit(form);
};

export const usePhone = () =>
  vi.stubGlobal("matchMedia", () => ({ matches: true, addEventListener: vi.fn(), removeEventListener: vi.fn() }));
