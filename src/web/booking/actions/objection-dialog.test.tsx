import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { renderInMantine } from "../../dashboard/test-providers.tsx";
import { shownBooking } from "../test-booking.ts";
import { openDecideObjection } from "./objection-dialog.tsx";

const server = vi.hoisted(() => ({ decide: vi.fn(), booking: {} as object }));
vi.mock("../../lib/api/booking-page.ts", () => ({
  useBooking: () => ({ data: server.booking, error: null, isFetching: false, refetch: vi.fn() }),
  useDecideObjection: () => ({ mutateAsync: server.decide }),
}));
beforeEach(() => vi.resetAllMocks());
// The shows of this file are in 2027.
beforeEach(() => void vi.setSystemTime(new Date("2026-11-29T12:00:00Z")));

const objected = (withdrawal: string, more: object = {}) => ({
  ...shownBooking,
  status: "contract_signed",
  money: { ...shownBooking.money, held_cents: 100_000, commission_bps: 1_000 },
  fee_cents: 100_000,
  contract: {
    attestation: {
      withdrawal,
      objections: [
        { side: "artist", reason: "I never signed this.", at: "2026-11-21T21:00:00Z", decision: null },
        { side: "promoter", reason: "Decided before.", at: "2026-11-21T20:00:00Z", decision: "upheld" },
      ],
    },
  },
  ...more,
});

async function openDialog(booking: object) {
  server.booking = booking;
  renderInMantine(<button onClick={() => openDecideObjection(shownBooking.id)}>Decide objection</button>);
  fireEvent.click(screen.getByRole("button", { name: "Decide objection" }));
  return within(await screen.findByRole("dialog"));
}
const reason = "The signature is another person's.";

test("names who objects and why, and the amounts of a division after the show", async () => {
  const dialog = await openDialog(
    objected("divided", { starts_at: "2026-11-20T20:00:00Z", ends_at: "2026-11-20T23:00:00Z" }),
  );
  dialog.getByText(/Electric Dreams, the artist, objects .*“I never signed this.”/);
  expect(dialog.queryByText(/Decided before/)).toBeNull();
  dialog.getByText(/^The show ended on Friday 20 November 2026/);
  dialog.getByText(/Nothing is refunded. \$1,000 is held./);
  fireEvent.click(dialog.getByRole("radio", { name: "Withdraw the signature" }));
  fireEvent.change(dialog.getByRole("textbox", { name: /The reason/ }), { target: { value: reason } });
  fireEvent.click(dialog.getByRole("button", { name: "Decide" }));
  await dialog.findByText("Enter an amount from 0 to $1,000.");
  fireEvent.change(dialog.getByRole("textbox", { name: /Release to the artist/ }), { target: { value: "400" } });
  dialog.getByText("$600");
  dialog.getByText("$360");
  fireEvent.click(dialog.getByRole("button", { name: "Decide" }));
  const amounts = { release_cents: 40_000, expected_held_cents: 100_000 };
  const sent = { id: shownBooking.id, decision: "annulled", reason, ...amounts };
  await waitFor(() => expect(server.decide).toHaveBeenCalledWith(sent));
});

test.each([
  ["signed_again", /signed again. \$1,000 stays held/],
  ["refunded", /\$1,000 is refunded, and Electric Dreams is paid nothing/],
])("states the effect of withdrawing a signature that is then %s, without an amount", async (withdrawal, text) => {
  const dialog = await openDialog(objected(withdrawal));
  dialog.getByText(text);
  dialog.getByText(/^The show begins on/);
  fireEvent.click(dialog.getByRole("radio", { name: "Withdraw the signature" }));
  expect(dialog.queryByRole("textbox", { name: /Release/ })).toBeNull();
  fireEvent.change(dialog.getByRole("textbox", { name: /The reason/ }), { target: { value: reason } });
  fireEvent.click(dialog.getByRole("button", { name: "Decide" }));
  await waitFor(() =>
    expect(server.decide).toHaveBeenCalledWith({ id: shownBooking.id, decision: "annulled", reason }),
  );
});

test("states no effect of a withdrawal that another admin has already decided", async () => {
  for (const attestation of [null, { withdrawal: "refunded", objections: [] }]) {
    const dialog = await openDialog(objected("refunded", { contract: { attestation } }));
    expect(dialog.getByText("Another admin has already decided.")).toBeTruthy();
    cleanup();
  }
});

test("offers no withdrawal once the booking is completed", async () => {
  const dialog = await openDialog(objected("divided", { status: "completed" }));
  dialog.getByText(/its signature can no longer be withdrawn/);
  expect(dialog.queryByRole("radio", { name: "Withdraw the signature" })).toBeNull();
});
