import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { apiError, press } from "../../dashboard/test-providers.tsx";
import { id, mine, open, server } from "../test-booking-page.tsx";
import { noPermissions, sentContract } from "../test-booking.ts";

describe("BookingActions", () => {
  test("renders no action that the server does not allow", () => {
    open({ can: noPermissions, status: "contract_sent" });
    const now = within(screen.getByRole("region", { name: "Now" }));
    expect([...now.queryAllByRole("button"), ...now.queryAllByRole("link")]).toEqual([]);
  });

  test("warns before a show is confirmed that the booking can no longer be canceled", async () => {
    server.complete.mockResolvedValue({});
    open({ can: { ...noPermissions, complete: true }, status: "contract_signed" });
    press("Confirm the show");
    const dialog = within(await screen.findByRole("dialog"));
    dialog.getByText(/can no longer cancel the booking/);
    fireEvent.click(dialog.getByRole("button", { name: "The show was played" }));
    await waitFor(() => expect(server.complete).toHaveBeenCalledWith({ id }));
  });

  test("reports a no-show with a text, the artist states their side, and an admin decides with an amount of the held money", async () => {
    server.reportNoShow.mockResolvedValue({});
    open({ status: "contract_signed", can: { ...noPermissions, report_no_show: true } });
    press("Report a no-show");
    const report = within(await screen.findByRole("dialog"));
    fireEvent.click(report.getByRole("button", { name: "Report" }));
    await report.findByText("Enter at least 10 characters.");
    fireEvent.change(report.getByRole("textbox"), { target: { value: "Nobody came to the stage." } });
    fireEvent.click(report.getByRole("button", { name: "Report" }));
    await waitFor(() => expect(server.reportNoShow).toHaveBeenCalledWith({ id, note: "Nobody came to the stage." }));
    cleanup();

    const no_show = {
      reported_at: "2027-02-14T06:00:00Z",
      note: "Nobody came to the stage.",
      stated_at: null,
      statement: null,
      decided_at: null,
      decision: null,
      released_cents: null,
      refunded_cents: null,
    };
    server.stateNoShow.mockResolvedValue({});
    open({ viewer: "artist", status: "contract_signed", can: { ...noPermissions, state_no_show: true }, no_show });
    screen.getByText(/If this is wrong, state your side before that\./);
    press("State your side");
    const state = within(await screen.findByRole("dialog"));
    state.getByText(/Nobody came to the stage/);
    fireEvent.change(state.getByRole("textbox"), { target: { value: "short" } });
    fireEvent.click(state.getByRole("button", { name: "Submit statement" }));
    await state.findByText("Enter at least 10 characters.");
    const statement = "We waited outside the locked venue until 23:00.";
    fireEvent.change(state.getByRole("textbox"), { target: { value: statement } });
    fireEvent.click(state.getByRole("button", { name: "Submit statement" }));
    await waitFor(() => expect(server.stateNoShow).toHaveBeenCalledWith({ id, statement }));
    cleanup();

    server.decideNoShow.mockResolvedValue({});
    const money = { ...mine.money, held_cents: 150_000, commission_bps: 1_000 };
    const can = { ...noPermissions, decide_no_show: true };
    const toDecide = { viewer: "admin", status: "contract_signed", can, money } as const;
    open({ ...toDecide, no_show });
    press("Decide");
    within(await screen.findByRole("dialog")).getByText("Electric Dreams has not stated their side.");
    cleanup();
    open({ ...toDecide, no_show: { ...no_show, stated_at: "2027-02-14T09:00:00Z", statement } });
    press("Decide");
    const decide = within(await screen.findByRole("dialog"));
    decide.getByText(/Nobody came to the stage/);
    decide.getByText(`Electric Dreams states: ${statement}`);
    const [sum, reason] = decide.getAllByRole("textbox");
    fireEvent.change(sum!, { target: { value: "1500.01" } });
    fireEvent.change(reason!, { target: { value: "They came an hour late." } });
    fireEvent.click(decide.getByRole("button", { name: "Decide" }));
    await decide.findByText("Enter an amount from 0 to $1,500.");
    expect(decide.queryByText("Refund to the payer")).toBeNull();
    fireEvent.change(sum!, { target: { value: "500.50" } });
    const figure = (label: string) => decide.getByText(label).nextElementSibling?.textContent;
    expect([figure("Refund to the payer"), figure("Commission"), figure("Electric Dreams gets")]).toEqual([
      "$999.50",
      "$50.05",
      "$450.45",
    ]);
    fireEvent.click(decide.getByRole("button", { name: "Decide" }));
    const decided = { id, release_cents: 50_050, expected_held_cents: 150_000, decision: "They came an hour late." };
    await waitFor(() => expect(server.decideNoShow).toHaveBeenCalledWith(decided));
    cleanup();

    open({ ...toDecide, money: { ...money, held_cents: 0 }, no_show });
    press("Decide");
    const unpaid = within(await screen.findByRole("dialog"));
    fireEvent.change(unpaid.getByRole("textbox"), { target: { value: "They played for two hours." } });
    unpaid.getByRole("button", { name: "Decide" }).focus();
    fireEvent.click(unpaid.getByRole("button", { name: "Decide" }));
    await unpaid.findByText("Choose a decision.");
    const appeared = unpaid.getByRole<HTMLInputElement>("radio", { name: "The artist appeared" });
    expect(document.activeElement).toBe(appeared);
    expect(appeared.required).toBe(true);
    fireEvent.click(appeared);
    fireEvent.click(unpaid.getByRole("button", { name: "Decide" }));
    const closed = {
      id,
      release_cents: 0,
      expected_held_cents: 0,
      appeared: true,
      decision: "They played for two hours.",
    };
    await waitFor(() => expect(server.decideNoShow).toHaveBeenCalledWith(closed));
  });

  test.each(["draft", "sent"] as const)("shows a %s contract of a canceled booking as void", (status) => {
    open({ status: "canceled", can: noPermissions, contract: { ...sentContract, status } });
    screen.getByText("Void");
    screen.getByText("Not signed");
    expect(screen.queryByText("Sent", { selector: ".badge" })).toBeNull();
    expect(screen.queryByText("Not signed yet")).toBeNull();
  });

  test("marks a contract as signed with a reason of twenty characters", async () => {
    server.markSigned.mockResolvedValue({});
    const can = { ...noPermissions, mark_signed: true };
    open({ viewer: "admin", status: "contract_sent", can, contract: sentContract });
    screen.getByText("Not signed yet");
    press("Mark Signed");
    const dialog = within(await screen.findByRole("dialog"));
    fireEvent.change(dialog.getByRole("textbox"), { target: { value: "On paper" } });
    fireEvent.click(dialog.getByRole("button", { name: "Mark Signed" }));
    await dialog.findByText(/at least 20 characters/);
    const reason = "Signed on paper at the venue, scan by email.";
    fireEvent.change(dialog.getByRole("textbox"), { target: { value: reason } });
    fireEvent.click(dialog.getByRole("button", { name: "Mark Signed" }));
    await dialog.findByText("Choose the signed document.");
    expect(document.activeElement).toBe(dialog.getByLabelText("Signed document"));
    const choose = (file: File) =>
      fireEvent.change(dialog.getByLabelText("Signed document"), { target: { files: [file] } });
    choose(new File(["x"], "paper.docx", { type: "application/msword" }));
    await dialog.findByText("Choose a PDF, JPEG or PNG file.");
    fireEvent.click(dialog.getByRole("button", { name: "Mark Signed" }));
    await dialog.findByText("Choose a PDF, JPEG or PNG file.");
    expect(dialog.queryByText("Choose the signed document.")).toBeNull();
    expect(server.uploadSignedDocument).not.toHaveBeenCalled();
    server.uploadSignedDocument.mockRejectedValueOnce(
      apiError("unsupported", "This file is not a PDF, JPEG or PNG.", 415),
    );
    const file = new File(["%PDF-1.7"], "paper.pdf", { type: "application/pdf" });
    choose(file);
    await dialog.findByText("This file is not a PDF, JPEG or PNG.");
    const slow = Promise.withResolvers<object>();
    server.uploadSignedDocument.mockReturnValueOnce(slow.promise);
    choose(new File(["%PDF-1.7 draft"], "draft.pdf", { type: "application/pdf" }));
    server.uploadSignedDocument.mockResolvedValue({ sha256: "ab".repeat(32), pages: 3, bytes: 1_200_000 });
    choose(file);
    await dialog.findByText("3 pages, 1.2 MB, checked.");
    // The upload of a document that was chosen before ends after it.
    await act(async () => slow.resolve({ sha256: "cd".repeat(32), pages: 1, bytes: 1_000 }));
    expect(server.uploadSignedDocument).toHaveBeenCalledWith("c-1", file);
    fireEvent.click(dialog.getByRole("button", { name: "Mark Signed" }));
    await waitFor(() => expect(server.markSigned).toHaveBeenCalledWith({ id: "c-1", reason, paper: "ab".repeat(32) }));
  });

  test("shows an admin's attestation to a party, and sends an objection with a reason", async () => {
    server.object.mockResolvedValue({ objected: true });
    const attestation = {
      reason: "Signed on paper at the venue.",
      by: "Ines Halvorsen",
      at: "2026-11-21T20:00:00Z",
      paper: { sha256: "ab".repeat(32), media_type: "application/pdf" as const, bytes: 1_000 },
      objection_end: "2026-11-24T20:00:00Z",
      objections: [],
      can_object: true,
      withdrawal: "signed_again" as const,
    };
    const signed = { status: "signed" as const, signed_at: "2026-11-21T20:00:00Z", signers: [] };
    const contract = { ...sentContract, ...signed, attestation };
    open({ status: "contract_signed", can: noPermissions, contract });
    screen.getByText(/by Ines Halvorsen/);
    screen.getByRole("button", { name: /View signed document/ });
    fireEvent.click(screen.getByText(/Object until/));
    const form = within(screen.getByRole("form", { name: "Object" }));
    fireEvent.click(form.getByRole("button", { name: "Object" }));
    await form.findByText("Describe briefly what is wrong.");
    fireEvent.change(form.getByRole("textbox"), { target: { value: "I never signed this." } });
    server.object.mockRejectedValueOnce(apiError("conflict", "The time to object has passed.", 409));
    fireEvent.click(form.getByRole("button", { name: "Object" }));
    expect((await form.findByRole("alert")).textContent).toBe("The time to object has passed.");
    fireEvent.click(form.getByRole("button", { name: "Object" }));
    await waitFor(() => expect(server.object).toHaveBeenCalledWith({ id, reason: "I never signed this." }));
    await waitFor(() => expect(server.refetch).toHaveBeenCalled());
    cleanup();
    const objections = [
      {
        side: "promoter" as const,
        reason: "I never signed this.",
        at: "2026-11-21T21:00:00Z",
        decision: null,
        decided_at: null,
        decision_reason: null,
      },
    ];
    const objected = { ...contract, attestation: { ...attestation, objections, can_object: false } };
    open({ viewer: "admin", status: "contract_signed", can: noPermissions, contract: objected });
    screen.getByText("The promoter objects");
    expect(screen.queryByRole("form", { name: "Object" })).toBeNull();
    const evidence = screen.getByRole("link", { name: "Evidence and files of this contract" });
    expect(evidence.getAttribute("href")).toBe("/admin/contracts/c-1");
  });

  test("shows an artist the amounts before they accept, and a failure in the dialog", async () => {
    server.accept.mockRejectedValueOnce(apiError("conflict", "The date is not free.", 409)).mockResolvedValueOnce({});
    const money = { ...mine.money, commission_cents: 15_000, net_cents: 135_000 };
    open({ viewer: "artist", can: { ...noPermissions, answer: true }, money });
    press("Accept");
    const dialog = within(await screen.findByRole("dialog"));
    expect(dialog.getByText("Net").nextSibling?.textContent).toBe("$1,350");
    fireEvent.click(dialog.getByRole("button", { name: "Accept" }));
    await dialog.findByText("The date is not free.");
    fireEvent.click(dialog.getByRole("button", { name: "Accept" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(server.accept).toHaveBeenLastCalledWith({ id });
  });

  test("declines a request with a note", async () => {
    server.decline.mockResolvedValue({});
    open({ viewer: "artist", can: { ...noPermissions, answer: true } });
    press("Decline");
    const dialog = within(await screen.findByRole("dialog"));
    fireEvent.change(dialog.getByLabelText("Note to the promoter (optional)"), { target: { value: "On tour." } });
    fireEvent.click(dialog.getByRole("button", { name: "Decline" }));
    await waitFor(() => expect(server.decline).toHaveBeenCalledWith({ id, note: "On tour." }));
  });

  test("links a promoter to other dates only of an artist with a page", () => {
    open({ status: "canceled", can: noPermissions });
    screen.getByRole("link", { name: "View other dates" });
    cleanup();
    open({ status: "canceled", can: noPermissions, artist: { ...mine.artist, has_page: false } });
    expect(screen.queryByRole("link", { name: "View other dates" })).toBeNull();
  });

  test("links a party to the signing page", () => {
    open({ status: "contract_sent", can: { ...noPermissions, sign: true } });
    expect(screen.getByRole("link", { name: "Sign Contract" }).getAttribute("href")).toBe(`/sign/${id}`);
  });

  test("explains the effects before it releases the promoter's hold", async () => {
    server.releaseHold.mockResolvedValue({ released: true });
    open({ can: { ...noPermissions, release_own_hold: true }, hold: { expires_at: "2026-11-21T20:30:00Z" } });
    press("Release hold");
    const dialog = within(await screen.findByRole("dialog"));
    dialog.getByText(/^The checkout for Electric Dreams is canceled and Saturday 13 February is available to others/);
    expect(server.releaseHold).not.toHaveBeenCalled();
    fireEvent.click(dialog.getByRole("button", { name: "Release hold" }));
    await waitFor(() => expect(server.releaseHold).toHaveBeenCalledWith({ id }));
  });

  test("releases a held date for the artist after a confirmation", async () => {
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
    press("Release hold");
    fireEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Release hold" }));
    await waitFor(() => expect(server.release).toHaveBeenCalledWith({ id }));
  });
});
