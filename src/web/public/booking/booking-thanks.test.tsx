import { render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { expect, test, vi } from "vitest";
import { BookingThanks, type SentBooking } from "./booking-thanks.tsx";
import { artist, booking } from "./test-booking-form.tsx";

vi.stubGlobal("scrollTo", vi.fn());

const sent = {
  ...booking,
  number: "SD-7KQ4MN",
  promoter_name: "Hannah Whitt",
  needs_confirmation: false,
  answer_due_at: null,
  currency: "usd",
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
  [null, "Electric Dreams gets everything that you entered in the form."],
  [
    "2027-02-01T12:00:00Z",
    "Electric Dreams gets your request. Your email address and phone number follow in the contract.",
  ],
])("BookingThanks states what the artist gets, to answer by %s", (answerBy, text) => {
  const answer_due_at = answerBy && new Date(answerBy);
  render(
    <MemoryRouter>
      <BookingThanks artist={artist} booking={{ ...sent, answer_due_at } as SentBooking} />
    </MemoryRouter>,
  );
  expect(screen.getByText(text)).toBeTruthy();
});
