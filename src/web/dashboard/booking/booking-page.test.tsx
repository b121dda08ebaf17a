import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { ShownBooking } from "../../lib/booking/progress.ts";
import { noPermissions, shownBooking } from "../../lib/booking/test-booking.ts";
import { apiError, press, renderInMantine } from "../test-providers.tsx";
import { BookingPage } from "./booking-page.tsx";

type Answer = { data?: ShownBooking; error: Error | null; isFetching: boolean };
const server = vi.hoisted(() => ({
  refetch: vi.fn(),
  letGo: vi.fn(),
  complete: vi.fn(),
  release: vi.fn(),
  markSigned: vi.fn(),
  uploadPaper: vi.fn(),
  object: vi.fn(),
  retryPayout: vi.fn(),
  reportNoShow: vi.fn(),
  decideNoShow: vi.fn(),
}));
let answer: Answer;
vi.mock("../../lib/api/booking-page.ts", () => ({
  useBooking: () => ({ ...answer, refetch: server.refetch }),
  useLetGo: () => ({ mutateAsync: server.letGo }),
  useCompleteBooking: () => ({ mutateAsync: server.complete }),
  useRefreshBookings: () => server.refetch,
  useMarkSigned: () => ({ mutateAsync: server.markSigned }),
  useReportNoShow: () => ({ mutateAsync: server.reportNoShow }),
  useDecideNoShow: () => ({ mutateAsync: server.decideNoShow }),
  useRetryPayout: () => ({ mutateAsync: server.retryPayout, isPending: false }),
}));
vi.mock("../../lib/api/admin-contracts.ts", () => ({ uploadPaper: server.uploadPaper }));
vi.mock("../../lib/api/browser-api.ts", () => ({
  browserApi: { bookings: { contract: { objectToContract: server.object } } },
}));
vi.mock("../../lib/api/booking-lists.ts", () => ({ useReleaseHold: () => ({ mutateAsync: server.release }) }));
vi.mock("../../lib/booking/use-balance.ts", () => ({}));
vi.mock("./booking-documents.tsx", () => ({ BookingDocuments: () => <section aria-label="Documents" /> }));
vi.mock("./disputes.tsx", () => ({ Disputes: () => <section aria-label="Disputes" /> }));
vi.mock("../reviews/booking-reviews.tsx", () => ({ BookingReviews: () => <section aria-label="Reviews" /> }));

beforeEach(() => vi.resetAllMocks());

const { id } = shownBooking;
const mine: ShownBooking = { ...shownBooking, viewer: "promoter", has_account: true };
function open(booking: Partial<ShownBooking>) {
  answer = { data: { ...mine, ...booking }, error: null, isFetching: false };
  renderInMantine(<BookingPage id={id} listPath="/promoter/bookings" />);
}

test("a promoter sees number, deadlines, people, the night and the one filled act in a new tab", () => {
  open({ deadlines: [{ kind: "show_starts", at: new Date(Date.now() + 40 * 86_400_000).toISOString() }] });
  screen.getByRole("heading", { level: 1, name: "Electric Dreams, 13 February" });
  screen.getByText("SD-7KQ4MN");
  screen.getByText("Show in 40 days");
  screen.getByText("A quiet corner");
  screen.getByRole("link", { name: "hannah@whitt.example" });
  const pay = screen.getByRole("link", { name: /Pay Deposit/ });
  expect([pay.getAttribute("href"), pay.getAttribute("target")]).toEqual([`/pay/${id}/deposit`, "_blank"]);
  expect(screen.getByRole("link", { name: "Bookings" }).getAttribute("href")).toBe("/promoter/bookings");
});

test("reviews stand on the page once the booking is completed, not before", () => {
  open({ status: "contract_signed" });
  expect(screen.queryByRole("region", { name: "Reviews" })).toBeNull();
  open({ status: "completed" });
  screen.getByRole("region", { name: "Reviews" });
});

describe("acts", () => {
  test("none is drawn that the server does not allow", () => {
    open({ can: noPermissions, status: "contract_sent" });
    const now = within(screen.getByRole("region", { name: "Now" }));
    expect([...now.queryAllByRole("button"), ...now.queryAllByRole("link")]).toEqual([]);
  });

  test("confirming a show says first that the money goes to the artist", async () => {
    server.complete.mockResolvedValue({});
    open({ can: { ...noPermissions, complete: true }, status: "contract_signed" });
    press("Confirm the show");
    const dialog = within(await screen.findByRole("dialog"));
    dialog.getByText(/can no longer be canceled/);
    fireEvent.click(dialog.getByRole("button", { name: "The show was played" }));
    await waitFor(() => expect(server.complete).toHaveBeenCalledWith({ id }));
  });

  test("a promoter reports a no-show with a text, and an admin decides about it with a sum that is held", async () => {
    server.reportNoShow.mockResolvedValue({});
    open({ status: "contract_signed", can: { ...noPermissions, report_no_show: true } });
    press("Report a no-show");
    const report = within(await screen.findByRole("dialog"));
    fireEvent.click(report.getByRole("button", { name: "Report" }));
    await report.findByText("Please write at least 10 characters.");
    fireEvent.change(report.getByRole("textbox"), { target: { value: "Nobody came to the stage." } });
    fireEvent.click(report.getByRole("button", { name: "Report" }));
    await waitFor(() => expect(server.reportNoShow).toHaveBeenCalledWith({ id, note: "Nobody came to the stage." }));
    cleanup();

    server.decideNoShow.mockResolvedValue({});
    const no_show = {
      reported_at: "2027-02-14T06:00:00Z",
      note: "Nobody came to the stage.",
      decided_at: null,
      decision: null,
      released_cents: null,
      refunded_cents: null,
    };
    const money = { ...mine.money, held_cents: 150_000 };
    open({
      viewer: "admin",
      status: "contract_signed",
      can: { ...noPermissions, decide_no_show: true },
      no_show,
      money,
    });
    press("Decide");
    const decide = within(await screen.findByRole("dialog"));
    decide.getByText(/Nobody came to the stage/);
    const [sum, reason] = decide.getAllByRole("textbox");
    fireEvent.change(sum!, { target: { value: "1500.01" } });
    fireEvent.change(reason!, { target: { value: "They came an hour late." } });
    fireEvent.click(decide.getByRole("button", { name: "Decide" }));
    await decide.findByText("Please give an amount from 0 to $1,500.00.");
    fireEvent.change(sum!, { target: { value: "500.50" } });
    fireEvent.click(decide.getByRole("button", { name: "Decide" }));
    const decided = { id, release_cents: 50_050, decision: "They came an hour late." };
    await waitFor(() => expect(server.decideNoShow).toHaveBeenCalledWith(decided));
  });

  test("an admin marks a contract as signed, with a reason of twenty characters", async () => {
    server.markSigned.mockResolvedValue({});
    const contract = {
      id: "c-1",
      status: "sent" as const,
      sent_at: "2026-11-21T20:00:00Z",
      signed_at: null,
      expires_at: null,
      first_signer: null,
      signers: [{ side: "artist" as const, name: "Electric Dreams", signed_at: null, method: null }],
      attestation: null,
    };
    open({ viewer: "admin", status: "contract_sent", can: { ...noPermissions, mark_signed: true }, contract });
    screen.getByText("not signed yet");
    press("Mark Signed");
    const dialog = within(await screen.findByRole("dialog"));
    fireEvent.change(dialog.getByRole("textbox"), { target: { value: "On paper" } });
    fireEvent.click(dialog.getByRole("button", { name: "Mark Signed" }));
    await dialog.findByText(/at least 20 characters/);
    const reason = "Signed on paper at the venue, scan by email.";
    fireEvent.change(dialog.getByRole("textbox"), { target: { value: reason } });
    fireEvent.click(dialog.getByRole("button", { name: "Mark Signed" }));
    await dialog.findByText("Please choose the signed paper.");
    const choose = (file: File) =>
      fireEvent.change(dialog.getByLabelText("Signed paper"), { target: { files: [file] } });
    choose(new File(["x"], "paper.docx", { type: "application/msword" }));
    await dialog.findByText("Please choose a PDF, JPEG or PNG file.");
    expect(server.uploadPaper).not.toHaveBeenCalled();
    server.uploadPaper.mockRejectedValueOnce(apiError("unsupported", "This file is not a PDF, JPEG or PNG.", 415));
    const file = new File(["%PDF-1.7"], "paper.pdf", { type: "application/pdf" });
    choose(file);
    await dialog.findByText("This file is not a PDF, JPEG or PNG.");
    server.uploadPaper.mockResolvedValue({ sha256: "ab".repeat(32), pages: 3, bytes: 1_200_000 });
    choose(file);
    await dialog.findByText("3 pages, 1.2 MB, checked.");
    expect(server.uploadPaper).toHaveBeenCalledWith("c-1", file);
    fireEvent.click(dialog.getByRole("button", { name: "Mark Signed" }));
    await waitFor(() => expect(server.markSigned).toHaveBeenCalledWith({ id: "c-1", reason, paper: "ab".repeat(32) }));
  });

  test("a party reads what an admin attested, and objects with a reason", async () => {
    server.object.mockResolvedValue({ objected: true });
    const attestation = {
      reason: "Signed on paper at the venue.",
      by: "Ines Halvorsen",
      at: "2026-11-21T20:00:00Z",
      paper: { sha256: "ab".repeat(32), media_type: "application/pdf" as const, bytes: 1_000 },
      objection_end: "2026-11-24T20:00:00Z",
      objections: [],
      can_object: true,
    };
    const contract = {
      id: "c-1",
      status: "signed" as const,
      sent_at: "2026-11-20T20:00:00Z",
      signed_at: "2026-11-21T20:00:00Z",
      expires_at: null,
      first_signer: null,
      signers: [],
      attestation,
    };
    open({ status: "contract_signed", can: noPermissions, contract });
    screen.getByText(/by Ines Halvorsen/);
    screen.getByRole("button", { name: /Open the paper/ });
    fireEvent.click(screen.getByText(/Object until/));
    const form = within(screen.getByRole("form", { name: "Object" }));
    fireEvent.click(form.getByRole("button", { name: "Object" }));
    await form.findByText("Please say in a few words what is wrong.");
    fireEvent.change(form.getByRole("textbox"), { target: { value: "I never signed this." } });
    fireEvent.click(form.getByRole("button", { name: "Object" }));
    await waitFor(() => expect(server.object).toHaveBeenCalledWith({ id, reason: "I never signed this." }));
    cleanup();
    const objections = [{ side: "promoter" as const, reason: "I never signed this.", at: "2026-11-21T21:00:00Z" }];
    const objected = { ...contract, attestation: { ...attestation, objections, can_object: false } };
    open({ viewer: "admin", status: "contract_signed", can: noPermissions, contract: objected });
    screen.getByText("The promoter objects");
    expect(screen.queryByRole("form", { name: "Object" })).toBeNull();
    const evidence = screen.getByRole("link", { name: "Evidence and files of this contract" });
    expect(evidence.getAttribute("href")).toBe("/admin/contracts/c-1");
  });

  test("a party signs on the page of the contract", () => {
    open({ status: "contract_sent", can: { ...noPermissions, sign: true } });
    expect(screen.getByRole("link", { name: "Sign Contract" }).getAttribute("href")).toBe(`/sign/${id}`);
  });

  test("letting a date go says first what follows from it", async () => {
    server.letGo.mockResolvedValue({ released: true });
    open({ can: { ...noPermissions, let_go: true }, hold: { expires_at: "2026-11-21T20:30:00Z" } });
    press("Let it go");
    const dialog = within(await screen.findByRole("dialog"));
    dialog.getByText(/free for others at once. Nothing is charged/);
    expect(server.letGo).not.toHaveBeenCalled();
    fireEvent.click(dialog.getByRole("button", { name: "Let it go" }));
    await waitFor(() => expect(server.letGo).toHaveBeenCalledWith({ id }));
  });

  test("the artist releases a held date after a question", async () => {
    server.release.mockResolvedValue({ released: true });
    const hold = { expires_at: "2026-11-21T20:30:00Z" };
    open({
      viewer: "artist",
      promoter_email: null,
      promoter_phone: null,
      can: { ...noPermissions, release: true },
      hold,
    });
    screen.getByText("Hannah Whitt is at the checkout.");
    press("Release");
    fireEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Release" }));
    await waitFor(() => expect(server.release).toHaveBeenCalledWith({ id }));
  });
});

test("the contract of a booking without a deposit follows the acceptance, and no deposit", () => {
  open({ can: noPermissions, deposit_cents: 0, answer_due_at: "2026-11-24T20:00:00Z" });
  screen.getByText("It is made and sent once the artist has accepted.");
  expect(screen.queryByText(/once the deposit is paid/)).toBeNull();
});

describe("money", () => {
  const part = { part: null, since: null, until: null, next: "end" as const, artist_cents: null, payout: null };
  const money = { ...mine.money, held_cents: 37_500, outstanding_cents: 112_500, paid_cents: 37_500 };
  const movement = {
    at: "2026-11-21T20:00:00Z",
    kind: "deposit" as const,
    amount_cents: 37_500,
    held_after_cents: 37_500,
  };

  test("is told by who holds it, with what is planned", () => {
    open({ status: "deposit_paid", can: noPermissions, money: { ...money, movements: [movement] } });
    const section = within(screen.getByRole("region", { name: "What is held, step by step" }));
    expect(section.getAllByRole("row").map((row) => row.textContent)).toEqual([
      "WhenWhatAmountHeld after",
      expect.stringMatching(/Deposit\+ \$375\.00\$375\.00$/),
      expect.stringMatching(/^Sat 16 JanBalance \(planned\)\+ \$1,125\.00\$1,500\.00$/),
      expect.stringMatching(/^Sat 13 FebReleased after the show \(planned\)− \$1,500\.00\$0\.00$/),
    ]);
    expect(screen.queryByText("Commission")).toBeNull();
  });

  test("a balance without a day of its own is due now once both have signed, and before that once they have", () => {
    for (const [status, when] of [
      ["contract_sent", "once signed"],
      ["contract_signed", "now"],
    ] as const) {
      open({ status, can: noPermissions, money: { ...money, balance_due: null } });
      expect(screen.getByText("Balance (planned)").previousSibling?.textContent).toBe(when);
      cleanup();
    }
  });

  test("shows the artist gross, commission and net", () => {
    open({
      viewer: "artist",
      status: "deposit_paid",
      can: noPermissions,
      money: { ...money, commission_cents: 15_000, artist_cents: 0 },
    });
    expect(screen.getByText("Net").nextSibling?.textContent).toBe("$1,350.00");
    expect(screen.queryByText("Payment service")).toBeNull();
  });

  test("says how the payout stands, and lets an admin send a refused one again", async () => {
    const payout = {
      status: "failed" as const,
      waits_for: null,
      amount_cents: 135_000,
      reversed_cents: 0,
      due_at: "2027-02-16T05:30:00Z",
      paid_at: null,
      error: "The account cannot be paid.",
      can_retry: true,
    };
    server.retryPayout.mockResolvedValue({ booking_id: id, retried: 1 });
    open({ viewer: "admin", status: "completed", can: noPermissions, money: { ...money, payout } });
    const list = within(screen.getByRole("list", { name: "Payout" }));
    list.getByText("Payout, $1,350.00");
    list.getByText("Failed");
    list.getByText("The account cannot be paid.");
    press("Send again");
    await waitFor(() => expect(server.retryPayout).toHaveBeenCalledWith({ booking_id: id }));
    cleanup();
    const waiting = {
      ...payout,
      status: "pending" as const,
      waits_for: "account" as const,
      error: null,
      can_retry: false,
    };
    open({ viewer: "artist", status: "completed", can: noPermissions, money: { ...money, payout: waiting } });
    screen.getByText("waits for the payment account");
    expect(screen.queryByRole("button", { name: "Send again" })).toBeNull();
  });

  test("of a canceled booking says to the cent what went back and what stays", () => {
    const canceled = {
      ...money,
      outstanding_cents: 0,
      held_cents: 10_000,
      refunded_cents: 20_000,
      returning_cents: 7_500,
      parts: [
        { ...part, held_by: "promoter" as const, cents: 20_000 },
        { ...part, held_by: "returning" as const, cents: 7_500 },
        { ...part, held_by: "released" as const, cents: 10_000 },
      ],
    };
    open({ status: "canceled", can: noPermissions, money: canceled });
    const now = screen.getByRole("region", { name: "Now" }).textContent;
    for (const text of ["$200 of $375 went back", "$75 is on its way back", "$100 of $375 stays with the artist"])
      expect(now).toContain(text);
    expect(now).toContain("stays with the artist by the cancellation terms.");
  });
});

test("the artist reads no contact details before both have signed", () => {
  open({ viewer: "artist", promoter_email: null, promoter_phone: null, can: noPermissions });
  expect(screen.getByText("Contact details open when both have signed")).toBeTruthy();
  screen.getByRole("heading", { level: 1, name: "Hannah Whitt, 13 February" });
});

test.each([
  ["artist", null, "The promoter signs first. You get an email when it is your turn.", true],
  ["artist", "2026-11-22T20:00:00Z", "The promoter has signed; it is your turn.", false],
  [
    "promoter",
    null,
    "You sign first; the artist is asked after you. The balance follows once both have signed.",
    false,
  ],
  ["promoter", "2026-11-22T20:00:00Z", "You have signed; the artist is asked now.", false],
  ["admin", null, "The promoter signs first.", false],
  ["admin", "2026-11-22T20:00:00Z", "The promoter has signed; the artist is asked now.", false],
] as const)(
  "where the promoter signs first, the %s reads whose turn it is (signed: %s)",
  (viewer, signedAt, text, reads) => {
    const contract = {
      id: "c-1",
      status: "sent" as const,
      sent_at: "2026-11-21T20:00:00Z",
      signed_at: null,
      expires_at: null,
      first_signer: "promoter" as const,
      signers: [
        { side: "promoter" as const, name: "Hannah Whitt", signed_at: signedAt, method: null },
        { side: "artist" as const, name: "Electric Dreams", signed_at: null, method: null },
      ],
      attestation: null,
    };
    open({ viewer, status: "contract_sent", can: noPermissions, contract });
    expect(screen.getAllByText((content) => content.includes(text)).length).toBeGreaterThan(0);
    expect(screen.queryByRole("link", { name: "Read or decline it" }) !== null).toBe(reads);
  },
);

test.each(["initiated", "deposit_paid", "contract_sent", "contract_signed", "completed", "canceled"] as const)(
  "at %s each of the three reads how things stand",
  (status) => {
    for (const viewer of ["promoter", "artist", "admin"] as const) {
      open({ viewer, status, can: noPermissions });
      for (const now of screen.getAllByRole("region", { name: "Now" }))
        expect(now.textContent).toMatch(/^.{8,}\. ?.{8,}/);
    }
  },
);

describe("without the booking", () => {
  test("a page that loads says so", () => {
    answer = { error: null, isFetching: true };
    renderInMantine(<BookingPage id={id} listPath="/promoter/bookings" />);
    expect(screen.getByRole("status").textContent).toBe("Loading the booking");
  });

  test("a foreign or missing one is not found, with the way back", () => {
    answer = { error: apiError("not_found", "Booking not found", 404), isFetching: false };
    renderInMantine(<BookingPage id={id} listPath="/artist/bookings" />);
    screen.getByRole("heading", { level: 1, name: "Booking not found" });
    expect(screen.getByRole("link", { name: "All bookings" }).getAttribute("href")).toBe("/artist/bookings");
  });

  test("a failure says so, that nothing was changed, and can be tried again", () => {
    answer = { error: apiError("internal", "Something went wrong", 500), isFetching: false };
    renderInMantine(<BookingPage id={id} listPath="/promoter/bookings" />);
    screen.getByText("Something went wrong Nothing was changed.");
    press("Retry");
    expect(server.refetch).toHaveBeenCalled();
  });

  test("news that cannot be read leave the booking in place and say so", () => {
    answer = { data: mine, error: apiError("internal", "Something went wrong", 500), isFetching: false };
    renderInMantine(<BookingPage id={id} listPath="/promoter/bookings" />);
    expect(screen.getByRole("alert").textContent).toContain("News of this booking could not be loaded");
    screen.getByRole("heading", { level: 1, name: "Electric Dreams, 13 February" });
  });
});
