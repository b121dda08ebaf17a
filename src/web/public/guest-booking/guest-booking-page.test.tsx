import { cleanup, render, screen, within, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createRoutesStub } from "react-router";
import { beforeEach, expect, test, vi } from "vitest";
import { bookingId as id, noPermissions as nothing, shownBooking as booking } from "../../booking/test-booking.ts";
import GuestBookingPage, { clientLoader } from "./guest-booking-page.tsx";

const calls = vi.hoisted(() => ({
  read: vi.fn(),
  open: vi.fn(),
  sendLink: vi.fn(),
  releaseOwnHold: vi.fn(),
  complete: vi.fn(),
  reportNoShow: vi.fn(),
  balance: { withdraw: vi.fn() },
}));
const documents = vi.hoisted(() => ({ ofBooking: vi.fn(), link: vi.fn() }));
vi.mock("../../lib/api/browser-api.ts", () => ({ browserApi: { bookings: calls, documents } }));
const session = vi.hoisted(() => ({ mayBeSignedIn: vi.fn() }));
vi.mock("../../lib/auth/session.ts", () => ({ startSession: async () => undefined, ...session }));

const apiError = (status: number, message: string) =>
  Object.assign(new Error(message), { status, code: "x", data: { code: "x", message, requestId: "r-1" } });

beforeEach(() => {
  // The shows of this file are in 2027.
  vi.setSystemTime(new Date("2026-11-29T12:00:00Z"));
  vi.resetAllMocks();
  // The test environment lacks the dialog element's methods.
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function close() {
    this.open = false;
  };
});

/** Opens the page by a link of the site, or as the server has rendered it. */
function open(address = `/booking/${id}`, rendered = clientLoader()) {
  const Page = createRoutesStub([
    { path: "/booking/:id", Component: GuestBookingPage, HydrateFallback: () => null, loader: () => rendered },
    { path: "/auth", Component: () => <h1>Create your account</h1> },
  ]);
  render(<Page initialEntries={[address]} />);
}

test("shows a guest the status, the next steps, the money and the next action", async () => {
  calls.read.mockResolvedValue(booking);
  open();
  expect((await screen.findByRole("status")).textContent).toBe("Loading the booking");
  await screen.findByRole("heading", { level: 1, name: "Electric Dreams, 13 February" });
  expect(screen.getByText("SD-7KQ4MN")).toBeTruthy();
  expect(screen.getByText("Now: pay the deposit.")).toBeTruthy();
  expect(screen.getByRole("link", { name: /^Pay Deposit \$375/ }).getAttribute("href")).toBe(`/pay/${id}/deposit`);
  expect(screen.getByText("Price").nextSibling?.textContent).toBe("$1,500");
  expect(screen.getByText("A quiet corner")).toBeTruthy();
  const account = screen.getByRole("link", { name: "Create an account with this address" }).getAttribute("href") ?? "";
  const query = new URL(account, "http://localhost").searchParams;
  expect([query.get("tab"), query.get("name"), query.get("email")]).toEqual([
    "sign-up",
    "Hannah Whitt",
    "hannah@whitt.example",
  ]);
});

test("exchanges an email link's secret for the browser's key, and removes it from the address", async () => {
  calls.open.mockResolvedValue({ ...booking, promoter_name: "Exchanged" });
  calls.read.mockResolvedValue({ ...booking, promoter_name: "By cookie" });
  open(`/booking/${id}?link=q1w2.abc`, {
    state: { phase: "known", booking, isOpened: false },
  });
  expect((await screen.findByRole("link", { name: /^Pay Deposit/ })).closest("[data-unopened]")).toBeTruthy();
  await screen.findByText("Exchanged");
  expect(screen.getByRole("link", { name: /^Pay Deposit/ }).closest("[data-unopened]")).toBeNull();
  expect(calls.open.mock.calls).toEqual([[{ id, link: "q1w2.abc" }]]);
  expect(calls.read).not.toHaveBeenCalled();
  document.dispatchEvent(new Event("visibilitychange"));
  await screen.findByText("By cookie");
  expect(calls.read.mock.calls).toEqual([[{ id }]]);
});

test.each([
  ["a booking that the cookie opens", { phase: "known", booking, isOpened: true }, false, 0],
  ["a booking that an account may have more access to", { phase: "known", booking, isOpened: true }, true, 1],
  ["a page for a possible account", { phase: "loading" }, true, 1],
  ["an address that opens nothing", { phase: "unknown" }, false, 0],
] as const)("loads after the server rendered %s", async (_name, state, isSignedIn, requests) => {
  session.mayBeSignedIn.mockReturnValue(isSignedIn);
  calls.read.mockResolvedValue(booking);
  open(`/booking/${id}`, { state });
  await screen.findByRole("heading", {
    level: 1,
    name: state.phase === "unknown" ? "We cannot open this booking" : /Electric/,
  });
  await waitFor(() => expect(calls.read).toHaveBeenCalledTimes(requests));
});

const dueOn = (day: string | null) => ({ money: { ...booking.money, balance_due: day } });

test.each([
  ["deposit_paid", { ...nothing }, {}, "Saturday 13 February is yours."],
  ["contract_sent", { ...nothing, sign: true }, {}, "The contract is waiting for signatures."],
  ["contract_signed", { ...nothing, pay: "balance" as const }, dueOn(null), "Now: pay the balance."],
  ["contract_signed", { ...nothing, pay: "balance" as const }, dueOn("2999-01-16"), "Next: pay the balance."],
  ["contract_signed", { ...nothing }, { balance_paid: true }, "Everything is paid and signed."],
  ["contract_signed", { ...nothing, complete: true }, { balance_paid: true }, "The show is over."],
  ["completed", { ...nothing }, {}, "The show is completed."],
  ["canceled", { ...nothing }, { canceled_by: "promoter" as const }, "This request is canceled."],
] as const)("describes a booking that is %s", async (status, can, more, title) => {
  calls.read.mockResolvedValue({ ...booking, status, can, ...more });
  open();
  expect(await screen.findByText(title)).toBeTruthy();
  expect(screen.queryByRole("link", { name: /Pay/ }) !== null).toBe(can.pay !== null);
});

test("does not link an admin to the disputes that only the admin's page has", async () => {
  const dispute = { open_cents: 37_500, withheld_cents: 37_500, lost_cents: 0 };
  calls.read.mockResolvedValue({ ...booking, viewer: "admin", money: { ...booking.money, dispute } });
  open();
  await screen.findByRole("region", { name: "Now" });
  expect(screen.queryByRole("link", { name: "View the dispute" })).toBeNull();
});

test("explains the effects before it releases a guest's hold", async () => {
  calls.read.mockResolvedValue({ ...booking, can: { ...nothing, release_own_hold: true } });
  calls.releaseOwnHold.mockResolvedValue({ released: true });
  open();
  await userEvent.click(await screen.findByRole("button", { name: "Release hold" }));
  const dialog = within(screen.getByRole("dialog", { name: "Release hold" }));
  dialog.getByText(/^The checkout for Electric Dreams is canceled and Saturday 13 February is available to others/);
  await userEvent.click(dialog.getByRole("button", { name: "Keep hold" }));
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(calls.releaseOwnHold).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole("button", { name: "Release hold" }));
  await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Release hold" }));
  await waitFor(() => expect(calls.releaseOwnHold).toHaveBeenCalledWith({ id }));
});

test("explains the payout before a guest confirms the show", async () => {
  calls.read.mockResolvedValue({ ...booking, status: "contract_signed", can: { ...nothing, complete: true } });
  open();
  await userEvent.click(await screen.findByRole("button", { name: "Confirm the show" }));
  expect(calls.complete).not.toHaveBeenCalled();
  const dialog = within(screen.getByRole("dialog", { name: "Confirm the show" }));
  dialog.getByText(/You can no longer cancel the booking\./);
  await userEvent.click(dialog.getByRole("button", { name: "Not yet" }));
  expect(screen.queryByRole("dialog")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Confirm the show" }));
  await userEvent.click(screen.getByRole("button", { name: "The show was played" }));
  expect(calls.complete).toHaveBeenCalledWith({ id });
});

test("lets a guest report a no-show until 24 hours after the show, and then shows what happens next", async () => {
  const over = { ...booking, status: "contract_signed", balance_paid: true };
  calls.read.mockResolvedValue({ ...over, can: { ...nothing, complete: true, report_no_show: true } });
  calls.reportNoShow.mockRejectedValueOnce(apiError(409, "A no-show can be reported once."));
  open();
  await userEvent.click(await screen.findByRole("button", { name: "Report a no-show" }));
  const dialog = within(screen.getByRole("dialog", { name: "Report a no-show" }));
  dialog.getByText(/until Mon 15 Feb 2027 \d\d:\d\d, your time/);
  await userEvent.type(dialog.getByLabelText("What happened?"), "No one.");
  await userEvent.click(dialog.getByRole("button", { name: "Report" }));
  dialog.getByText("Enter at least 10 characters.");
  expect(calls.reportNoShow).not.toHaveBeenCalled();
  await userEvent.type(dialog.getByLabelText("What happened?"), " The stage was empty.");
  await userEvent.click(dialog.getByRole("button", { name: "Report" }));
  await dialog.findByText("A no-show can be reported once.");
  const report = { reported_at: "2027-02-14T06:00:00Z", note: "x", decided_at: null, decision: null };
  const no_show = { ...report, released_cents: null, refunded_cents: null };
  calls.read.mockResolvedValue({ ...over, can: nothing, no_show });
  await userEvent.click(dialog.getByRole("button", { name: "Report" }));
  expect(calls.reportNoShow).toHaveBeenLastCalledWith({ id, note: "No one. The stage was empty." });
  await screen.findByText("A no-show was reported.");
  screen.getByText(/Nothing is paid out until an admin has decided\./);
  expect(screen.queryByRole("button", { name: "Report a no-show" })).toBeNull();
});

test("offers the signing link again, and a booking link as text, to a browser that only sent the request", async () => {
  const can = { ...nothing, sign: true };
  calls.read.mockResolvedValue({ ...booking, status: "contract_sent", can, mailbox_unverified: true });
  calls.sendLink.mockResolvedValue({ sent: true, message: "A new link is on its way." });
  open();
  const sign = await screen.findByRole("button", { name: "Send the signing link again" });
  expect(sign.className).toBe("btn line");
  const quiet = screen.getByRole("button", { name: "Get a link to this booking" });
  expect(quiet.className).not.toContain("btn");
  await userEvent.click(quiet);
  await screen.findByText("We emailed a link to the address of your request. We send at most three an hour.");
  expect(calls.sendLink).toHaveBeenCalledWith({ id });
});

test("reloads an open page after twenty seconds, and when it becomes visible again", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    calls.read.mockResolvedValue(booking);
    open();
    await screen.findByText("Now: pay the deposit.");
    calls.read.mockResolvedValue({ ...booking, status: "deposit_paid", can: nothing });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await screen.findByText("Saturday 13 February is yours.")).toBeTruthy();
    calls.read.mockResolvedValue({ ...booking, status: "completed", can: nothing });
    document.dispatchEvent(new Event("visibilitychange"));
    expect(await screen.findByText("The show is completed.")).toBeTruthy();
  } finally {
    vi.useRealTimers();
  }
});

const unsigned = { signed_at: null, method: null };
const contract = {
  id: "c1",
  status: "sent" as const,
  sent_at: "2024-11-22T09:00:00Z",
  signed_at: null,
  expires_at: null,
  first_signer: null,
  attestation: null,
  signers: [
    { side: "promoter" as const, name: "Hannah Whitt", ...unsigned },
    { side: "artist" as const, name: "Dana Reyes", ...unsigned },
  ],
};

test("shows the guest who has signed and when, and whose signature is missing", async () => {
  const signatureOf = (side: string) => {
    const section = screen.getByRole("heading", { name: "Contract" }).closest("section");
    return within(section ?? document.body).getByText(side).nextSibling?.textContent;
  };
  const sent = { ...booking, status: "contract_sent" as const, can: { ...nothing, sign: true } };
  calls.read.mockResolvedValue({ ...sent, contract });
  open();
  expect((await screen.findAllByText(/Either of you can sign first\./)).length).toBe(2);
  expect(signatureOf("Promoter")).toBe("Not signed yet");
  cleanup();
  const [promoter, artist] = contract.signers;
  const signers = [promoter, { ...artist, signed_at: "2024-11-25T10:00:00Z", method: "typed" }];
  calls.read.mockResolvedValue({ ...sent, contract: { ...contract, signers } });
  open();
  expect((await screen.findAllByText(/The artist has signed\. Your signature is missing\./)).length).toBe(2);
  expect(signatureOf("Artist")).toMatch(/^Signed by typing Mon 25 Nov 2024 \d\d:\d\d$/);
});

const automatic = {
  state: "planned" as const,
  amount_cents: 112_500,
  card: "Visa ···4242",
  card_ends: "12/2030",
  charge: { day: "2027-05-03", time: "09:00" },
  can_withdraw: true,
};

test("shows an automatic balance with card and date, and withdraws it", async () => {
  calls.read.mockResolvedValue({ ...booking, status: "deposit_paid", can: nothing, automatic_payment: automatic });
  calls.balance.withdraw.mockResolvedValue({ id, withdrawn: true });
  open();
  const plan = within(await screen.findByRole("region", { name: "Automatic payment" }));
  screen.getByText("Charged to Visa ···4242 on Mon 3 May, 09:00 venue time.");
  plan.getByText(/^Visa ···4242 is valid until 12\/2030/);
  calls.read.mockResolvedValue({ ...booking, status: "deposit_paid", can: nothing });
  await userEvent.click(plan.getByRole("button", { name: "Withdraw the automatic payment" }));
  expect(calls.balance.withdraw).toHaveBeenCalledWith({ id });
  await waitFor(() => expect(screen.queryByRole("region", { name: "Automatic payment" })).toBeNull());
});

test.each([
  [{ ...automatic, charge: null }, "The balance will be charged to Visa ···4242 as soon as both have signed."],
  [{ ...automatic, state: "charging" as const, can_withdraw: false }, "The balance is being charged."],
])("describes an automatic payment in another state: %#", async (payment, words) => {
  const can = { ...nothing, pay: "balance" as const };
  calls.read.mockResolvedValue({ ...booking, status: "contract_signed", can, automatic_payment: payment });
  open();
  expect((await screen.findAllByText(words)).length).toBeGreaterThan(0);
  expect(screen.queryByRole("button", { name: /Withdraw/ }) !== null).toBe(payment.can_withdraw);
});

test("shows the receipt to a guest who has paid, and Retry if it fails to load", async () => {
  calls.read.mockResolvedValue({ ...booking, money: { ...booking.money, paid_cents: 37_500 } });
  documents.ofBooking.mockRejectedValueOnce(apiError(503, "The database cannot be reached."));
  open();
  expect((await screen.findByRole("alert")).textContent).toContain("The receipts and invoices could not be loaded.");
  const receipt = { id: "d1", number: "7KQ4MN-00001", kind: "receipt", payment_id: "p1", currency: "usd" };
  const sums = {
    gross: 37_500,
    tax: 0,
    tax_label: "",
    occurred_at: "2026-11-20T12:00:00.000Z",
    issued_on: "2026-11-20",
  };
  documents.ofBooking.mockResolvedValue({ items: [{ ...receipt, ...sums }] });
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByRole("button", { name: /^Open Receipt 7KQ4MN-00001/ })).toBeTruthy();
  expect(documents.ofBooking).toHaveBeenCalledWith({ id });
});

test("shows the server's message for a date that another booking has", async () => {
  const taken = { state: "taken", message: "Saturday 13 February is taken.", from: null };
  calls.read.mockResolvedValue({ ...booking, can: nothing, date: taken });
  open();
  expect(await screen.findByText(/Saturday 13 February is taken/)).toBeTruthy();
  expect(screen.queryByRole("link", { name: /Pay/ })).toBeNull();
});

test("shows the same page to a stranger and for an old link or a missing booking, and requests a new link", async () => {
  calls.open.mockRejectedValue(apiError(404, "Booking not found"));
  calls.sendLink.mockResolvedValue({ sent: true, message: "If this booking exists, a new link is on its way." });
  open(`/booking/${id}?link=old`);
  await screen.findByRole("heading", { name: "We cannot open this booking" });
  await userEvent.click(screen.getByRole("button", { name: "Send me a new link" }));
  expect((await screen.findByRole("status")).textContent).toContain("a new link is on its way");
  expect(calls.sendLink).toHaveBeenCalledWith({ id });
  calls.sendLink.mockRejectedValue(apiError(400, "Id: This is not the id of a booking."));
  await userEvent.click(screen.getByRole("button", { name: "Send me a new link" }));
  expect((await screen.findByRole("alert")).textContent).toBe(
    "This link is incomplete. Open the newest link in your email.",
  );
});

test("offers Retry if the link of a rendered page could not be exchanged", async () => {
  calls.open.mockRejectedValueOnce(apiError(503, "This took too long and was stopped.")).mockResolvedValue(booking);
  open(`/booking/${id}?link=q1w2.abc`, { state: { phase: "known", booking, isOpened: false } });
  expect((await screen.findByRole("alert")).textContent).toContain("This took too long");
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect((await screen.findByRole("link", { name: /^Pay Deposit/ })).closest("[data-unopened]")).toBeNull();
});

test("offers Retry if the page fails to load", async () => {
  calls.read.mockRejectedValueOnce(apiError(503, "This took too long and was stopped.")).mockResolvedValue(booking);
  open();
  expect((await screen.findByRole("alert")).textContent).toContain("This took too long");
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  await screen.findByText("SD-7KQ4MN");
});
