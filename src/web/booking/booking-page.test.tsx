import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { dayMs } from "#platform/time/durations.rules.ts";
import { apiError, press } from "../dashboard/test-providers.tsx";
import { id, mine, open, openNext, openWith, server } from "./test-booking-page.tsx";
import { noPermissions, sentContract, shownBooking } from "./test-booking.ts";

test("shows number, deadlines, contacts, the night and the only filled action, in a new tab, to a promoter", () => {
  open({ deadlines: [{ kind: "show_starts", at: new Date(Date.now() + 40 * dayMs).toISOString() }] });
  screen.getByRole("heading", { level: 1, name: "Electric Dreams, 13 February" });
  screen.getByText("SD-7KQ4MN");
  screen.getByText("Show in 40 days");
  screen.getByText("A quiet corner");
  screen.getByRole("link", { name: "hannah@whitt.example" });
  const pay = screen.getByRole("link", { name: /Pay Deposit/ });
  expect([pay.getAttribute("href"), pay.getAttribute("target")]).toEqual([`/pay/${id}/deposit`, "_blank"]);
  expect(screen.getByRole("link", { name: "Bookings" }).getAttribute("href")).toBe("/promoter/bookings");
});

test.each([
  ["promoter", ["Pay Deposit $375 (opens in a new tab)"]],
  ["admin", []],
] as const)(
  "fills only the next step for the %s, and places rare actions below it, those that end the booking below the money",
  (viewer, filled) => {
    const force_majeure = { can_propose: true, paid_cents: 0, commission_bps: null, proposal: null };
    open({ viewer, can: { ...noPermissions, pay: "deposit", cancel: true, report_no_show: true }, force_majeure });
    const now = within(screen.getByRole("region", { name: "Now" }));
    const buttons = [...now.queryAllByRole("link"), ...now.getAllByRole("button")];
    const rare = buttons.filter(({ parentElement }) => parentElement?.className.includes("rare"));
    expect(
      buttons.filter((one) => one.className === "btn" && !rare.includes(one)).map((one) => one.textContent),
    ).toEqual(filled);
    const names = rare.map(({ textContent }) => textContent);
    expect(names.at(-1)).toBe("Report a no-show");
    expect(names).toHaveLength(viewer === "admin" ? 2 : 1);
    for (const name of ["Cancel Booking", "Force Majeure"]) {
      expect(screen.getByRole("button", { name }).closest("section")?.firstChild?.textContent).toBe("Money");
    }
  },
);

test("links only an admin to the open dispute", () => {
  const money = { ...shownBooking.money, dispute: { open_cents: 37_500, withheld_cents: 37_500, lost_cents: 0 } };
  open({ viewer: "admin", money });
  expect(screen.getByRole("link", { name: "View the dispute" }).getAttribute("href")).toBe("#disputes");
  cleanup();
  open({ money });
  expect(screen.queryByRole("link", { name: "View the dispute" })).toBeNull();
});

test.each([
  ["Release hold", { release_own_hold: true }, /Keep hold/],
  ["Report a no-show", { report_no_show: true }, /Cancel/],
  ["Cancel Booking", { cancel: true }, /Close/],
] as const)("leaves the open dialog of %s until it is closed if the permission ends", async (name, can, closing) => {
  open({ can: { ...noPermissions, ...can } });
  press(name);
  screen.getByRole("dialog");
  openNext({ can: noPermissions });
  fireEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: closing }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(screen.queryByRole("button", { name })).toBeNull();
});

const proposal = {
  id,
  by: "artist",
  reason: "The hall is under water.",
  refund_cents: 100_000,
  artist_keeps_cents: 50_000,
  commission_cents: null,
  expires_at: "2026-11-24T20:00:00Z",
  outdated: false,
  can_answer: true,
  can_withdraw: false,
} as const;
const force_majeure = { can_propose: false, paid_cents: 150_000, commission_bps: null, proposal };

test("shows the other party's proposal before the status of the booking", () => {
  open({ status: "contract_signed", can: noPermissions, balance_paid: true, force_majeure });
  const question = screen.getByRole("region", { name: "Proposed end by agreement" });
  within(question).getByRole("button", { name: "Accept" });
  const now = screen.getByRole("region", { name: "Now" });
  expect(question.compareDocumentPosition(now) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
});

test("reloads the booking whose payment page could not open the checkout in another tab", async () => {
  open({});
  const paymentTab = new BroadcastChannel("stagedoor-pay");
  paymentTab.postMessage({ failed: "another booking" });
  paymentTab.postMessage({ failed: id });
  await waitFor(() => expect(server.refetch).toHaveBeenCalledTimes(1));
  paymentTab.close();
});

test("keeps no confirmation of one booking for the next", () => {
  open({ status: "contract_signed", can: noPermissions, force_majeure });
  press("Accept");
  screen.getByRole("button", { name: "Accept and refund $1,000" });
  openNext({ id: "00000000-0000-4000-8000-0000000000ff", can: noPermissions, force_majeure });
  expect(screen.getByRole("button", { name: "Accept" })).toBeTruthy();
});

test("shows reviews only after the booking is completed", () => {
  open({ status: "contract_signed" });
  expect(screen.queryByRole("region", { name: "Reviews" })).toBeNull();
  open({ status: "completed" });
  screen.getByRole("region", { name: "Reviews" });
});

test("expects the contract after the acceptance if a booking has no deposit", () => {
  open({ can: noPermissions, deposit_cents: 0, answer_due_at: "2026-11-24T20:00:00Z" });
  screen.getByText("We draft and send it once the artist has accepted.");
  expect(screen.queryByText(/once the deposit is paid/)).toBeNull();
});

test.each([
  ["initiated", "Sent to both parties when the deposit is paid."],
  ["deposit_paid", "We send it to both parties soon."],
] as const)("states when a draft contract is sent in status %s", (status, text) => {
  open({ status, contract: { ...sentContract, status: "draft", sent_at: null, signers: [] }, can: noPermissions });
  expect(screen.getByText(text)).toBeTruthy();
});

test("links the artist's name to the page that the viewer can open", () => {
  const { artist } = shownBooking;
  const linkFor = (booking: Parameters<typeof open>[0]) => {
    cleanup();
    open(booking);
    return screen.queryByRole("link", { name: "Electric Dreams" })?.getAttribute("href");
  };
  expect(linkFor({})).toBe("/artist/electric-dreams");
  expect(linkFor({ artist: { ...artist, has_page: false } })).toBeUndefined();
  expect(linkFor({ viewer: "admin", artist: { ...artist, has_page: false } })).toBe(`/admin/artists/${artist.id}`);
});

test("hides contact details from the artist until both have signed", () => {
  open({ viewer: "artist", promoter_email: null, promoter_phone: null, can: noPermissions });
  expect(screen.getByText("Contact details are shown here when both have signed")).toBeTruthy();
  screen.getByRole("heading", { level: 1, name: "Hannah Whitt, 13 February" });
});

test("promises no contact details for a canceled booking", () => {
  open({ viewer: "artist", status: "canceled", promoter_email: null, promoter_phone: null, can: noPermissions });
  expect(screen.queryByText(/Contact details/)).toBeNull();
});

test.each([
  ["artist", null, "The promoter signs first. You get an email when it is your turn.", true],
  ["artist", "2026-11-22T20:00:00Z", "The promoter has signed. It is your turn.", false],
  ["promoter", null, "You sign first. The artist signs after you. The balance follows once both have signed.", false],
  ["promoter", "2026-11-22T20:00:00Z", "You have signed. The artist signs next.", false],
  ["admin", null, "The promoter signs first.", false],
  ["admin", "2026-11-22T20:00:00Z", "The promoter has signed. The artist signs next.", false],
] as const)(
  "shows the %s whose turn it is if the promoter signs first (signed: %s)",
  (viewer, signedAt, text, reads) => {
    const promoter = { side: "promoter" as const, name: "Hannah Whitt", signed_at: signedAt, method: null };
    const signers = [promoter, ...sentContract.signers];
    const contract = { ...sentContract, first_signer: "promoter" as const, signers };
    open({ viewer, status: "contract_sent", can: noPermissions, contract });
    expect(screen.getAllByText((content) => content.includes(text)).length).toBeGreaterThan(0);
    expect(screen.queryByRole("link", { name: "Read or decline it" }) !== null).toBe(reads);
  },
);

test.each(["initiated", "deposit_paid", "contract_sent", "contract_signed", "completed", "canceled"] as const)(
  "shows a status message to each viewer at %s",
  (status) => {
    for (const viewer of ["promoter", "artist", "admin"] as const) {
      open({ viewer, status, can: noPermissions });
      for (const now of screen.getAllByRole("region", { name: "Now" }))
        expect(now.textContent).toMatch(/^.{8,}\. ?.{8,}/);
    }
  },
);

describe("without a loaded booking", () => {
  test("shows that the page is loading", () => {
    openWith({ error: null, isFetching: true });
    expect(screen.getByRole("status").textContent).toBe("Loading the booking");
  });

  test("shows not found for a foreign or missing booking, with a link back", () => {
    openWith({ error: apiError("not_found", "Booking not found", 404), isFetching: false }, "/artist/bookings");
    screen.getByRole("heading", { level: 1, name: "Booking not found" });
    expect(screen.getByRole("link", { name: "All bookings" }).getAttribute("href")).toBe("/artist/bookings");
  });

  test("reports a failure, states that nothing was changed, and retries", () => {
    openWith({ error: apiError("internal", "Something went wrong", 500), isFetching: false });
    screen.getByText("Something went wrong Nothing was changed.");
    press("Retry");
    expect(server.refetch).toHaveBeenCalled();
  });

  test("retains the booking if a refresh fails, and reports it", () => {
    openWith({ data: mine, error: apiError("internal", "Something went wrong", 500), isFetching: false });
    expect(screen.getByRole("alert").textContent).toContain("Updates to this booking could not be loaded");
    screen.getByRole("heading", { level: 1, name: "Electric Dreams, 13 February" });
  });
});

test("names the hold of the booking, and the other holds of the night", () => {
  const from = {
    rank: 2,
    state: "booked" as const,
    until: "2027-02-01T18:00:00",
    released_nights: ["2027-02-19"],
    ended_others: 2,
  };
  open({ viewer: "artist", holds: { night: "2027-02-13", from, queue: [] } });
  expect(screen.getByText("Second hold, booked")).toBeTruthy();
  expect(screen.getByText("Released with it: Fri 19 Feb")).toBeTruthy();
  expect(screen.getByText("2 holds of other promoters ended")).toBeTruthy();
  cleanup();
  const queue = [{ rank: 1, promoter_name: "Mira Voss", until: "2027-02-01T18:00:00" }];
  open({ viewer: "artist", holds: { night: "2027-02-13", from: null, queue } });
  expect(screen.getByText(/^1\. Mira Voss, until Mon 1 Feb 2027 18:00, your time$/)).toBeTruthy();
  expect(screen.getByRole("link", { name: "View night" }).getAttribute("href")).toContain("night=2027-02-13");
});
