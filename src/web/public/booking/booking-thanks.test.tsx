import { render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { expect, test, vi } from "vitest";
import { BookingThanks, type SentBooking } from "./booking-thanks.tsx";
import { artist, booking } from "./test-booking-form.tsx";

vi.stubGlobal("scrollTo", vi.fn());

const sent: Partial<SentBooking> = {
  ...booking,
  number: "SD-7KQ4MN",
  promoter_name: "Hannah Whitt",
  needs_confirmation: false,
  answer_due_at: null,
  answered_by_email: true,
};

test.each([
  [150_000, "$1,500"],
  [0, "On request"],
])("BookingThanks shows the price of the request, not the artist's lowest price: %d", (fee_cents, price) => {
  render(
    <MemoryRouter>
      <BookingThanks artist={artist} booking={{ ...sent, fee_cents } as SentBooking} />
    </MemoryRouter>,
  );
  expect(screen.getByText("Price").nextSibling?.textContent).toBe(price);
});

test.each([
  [{}, true, /^Not held\. /],
  [{ needs_confirmation: true }, true, /^Not held\. /],
  [{ answered_by_email: false, answer_due_at: new Date("2027-02-01T12:00:00Z") }, false, /request is accepted/],
  [{ answered_by_email: false, needs_confirmation: true }, false, /when the deposit is paid/],
])("BookingThanks states what the artist gets and what books the date: %o", (more, isByEmail, date) => {
  render(
    <MemoryRouter>
      <BookingThanks artist={artist} booking={{ ...sent, ...more } as SentBooking} />
    </MemoryRouter>,
  );
  const withContract = "Electric Dreams gets your request. Your email address and phone number follow in the contract.";
  const text = isByEmail ? "Electric Dreams gets everything that you entered in the form." : withContract;
  expect(screen.getByText(text)).toBeTruthy();
  expect(screen.getByText(date)).toBeTruthy();
});
