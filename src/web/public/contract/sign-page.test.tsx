import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createRoutesStub } from "react-router";
import { beforeEach, expect, test, vi } from "vitest";
import SignPage from "./sign-page.tsx";
import { contract, hash, storedDocument } from "./testing/test-contract.ts";
import type { ContractResponse } from "./use-signing.ts";

const calls = vi.hoisted(() => ({
  openContract: vi.fn(),
  signContract: vi.fn(),
  acceptContract: vi.fn(),
  declineContract: vi.fn(),
  sendSigningCode: vi.fn(),
}));
vi.mock("../../lib/api/browser-api.ts", () => ({ browserApi: { bookings: { contract: calls } } }));
vi.mock("../../lib/auth/session.ts", () => ({ startSession: async () => undefined }));
const toasts = vi.hoisted(() => ({ toast: vi.fn(), closeErrors: vi.fn() }));
vi.mock("../../lib/toasts.ts", () => toasts);

const key = "Zk3vYw9sT1q0rX8uP5nM7cB2hD4fG6jL";
const signedBy = (...sides: string[]): ContractResponse["signers"] =>
  contract.signers.map((signer) =>
    sides.includes(signer.side) ? { ...signer, signed_at: "2026-11-22T10:00:00.000Z" } : signer,
  );
const apiError = (status: number, message: string, fields?: readonly { field: string; message: string }[]) =>
  Object.assign(new Error(message), {
    status,
    code: "x",
    data: { code: "x", message, requestId: "r-1", data: fields && { fields } },
  });

/** The page's observers, to report intersections: jsdom has no layout. */
const observers: { seen: IntersectionObserverCallback; targets: Element[] }[] = [];
const see = (selector: string, isIntersecting = true) => {
  const target = document.querySelector(selector);
  if (!target) throw new Error(`the page has no ${selector}`);
  const entry = { target, isIntersecting } as unknown as IntersectionObserverEntry;
  act(() => {
    for (const { seen, targets } of observers)
      if (targets.includes(target)) seen([entry], undefined as unknown as IntersectionObserver);
  });
};

beforeEach(() => {
  vi.resetAllMocks();
  observers.length = 0;
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      readonly #own: (typeof observers)[number];
      constructor(seen: IntersectionObserverCallback) {
        this.#own = { seen, targets: [] };
        observers.push(this.#own);
      }
      observe(target: Element) {
        this.#own.targets.push(target);
      }
      disconnect() {
        this.#own.targets.length = 0;
      }
    },
  );
  window.scrollTo = vi.fn();
  Element.prototype.setPointerCapture = vi.fn();
});

const open = (given: Partial<ContractResponse> = {}) => {
  calls.openContract.mockResolvedValue({ ...contract, ...given });
  show();
};
function show() {
  const Page = createRoutesStub([{ path: "/sign/:key", Component: SignPage }]);
  render(<Page initialEntries={[`/sign/${key}`]} />);
}
const form = () => screen.findByRole("form", { name: "Your signature" });
const sign = () => screen.getByRole("button", { name: "Sign contract" });

test("shows an open contract's clauses and pages, both parties, the deadline and the form", async () => {
  open();
  await form();
  expect(calls.openContract).toHaveBeenCalledWith({ key });
  expect(screen.getByRole("heading", { level: 1, name: "Your contract with Electric Dreams" })).toBeTruthy();
  const sheet = within(screen.getByRole("article", { name: "Contract, 2 pages" }));
  expect(sheet.getAllByRole("heading", { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    "1. The parties",
    "2. The fee",
    "3. On the day",
  ]);
  expect(sheet.getByText("Fee").nextSibling?.textContent).toBe("$1,500.00 (USD)");
  expect(sheet.getByText(/Clause 3.2 binds/).textContent).toBe("3.2 Clause 3.2 binds both parties.");
  const [third] = sheet.getAllByRole("heading", { level: 3, name: "3. On the day" });
  expect(sheet.getByText("Page 2 of 2").compareDocumentPosition(third ?? document)).toBe(
    Node.DOCUMENT_POSITION_FOLLOWING,
  );
  expect(sheet.getByText(/This text and the PDF are the same document/).textContent).toContain(hash);
  for (const link of screen.getAllByRole("link", { name: "Download PDF" }))
    expect(link.getAttribute("href")).toBe(contract.document?.url);
  expect(screen.getAllByText(/Sign by Saturday 28 November, 14:03/).length).toBeGreaterThan(0);
  expect(screen.getByText("Your signature is missing")).toBeTruthy();
  expect(document.querySelector("#signature")?.contains(await form())).toBe(true);
  expect(screen.getByLabelText<HTMLInputElement>("Your full name").value).toBe("Hannah Whitt");
});

test("counts a clause as read after its end was visible for a second, and requires no reading to sign", async () => {
  open();
  await form();
  const strip = () => screen.getByText(/of 3 clauses/).textContent;
  expect(strip()).toBe("0 of 3 clauses");
  await vi.waitFor(() => expect(observers).not.toHaveLength(0));
  vi.useFakeTimers();
  see("[data-end='0']");
  act(() => void vi.advanceTimersByTime(900));
  see("[data-end='0']", false);
  act(() => void vi.advanceTimersByTime(5_000));
  expect(strip()).toBe("0 of 3 clauses");
  see("[data-end='1']");
  act(() => void vi.advanceTimersByTime(1_100));
  vi.useRealTimers();
  expect(strip()).toBe("1 of 3 clauses");
  expect(screen.getByRole("link", { name: "2. The fee, read" }).getAttribute("href")).toBe("#c2");
  expect(screen.getByRole("button", { name: "Sign contract" })).toHaveProperty("disabled", false);
});

test("leads to the next clause in a phone's bar, and signs at the signature", async () => {
  calls.signContract.mockResolvedValue({ ...contract, can_sign: false, signers: signedBy("promoter") });
  open();
  await form();
  expect(screen.getByRole("link", { name: /^(Next clause|Go to the signature)/ }).getAttribute("href")).toMatch(/^#/);
  await vi.waitFor(() => expect(observers).not.toHaveLength(0));
  see("[data-signature]");
  const [, inBar] = screen.getAllByRole("button", { name: "Sign contract" });
  if (!inBar) throw new Error("the bar has no button");
  await userEvent.click(screen.getByRole("checkbox"));
  await userEvent.click(inBar);
  expect(await screen.findByText("You have signed")).toBeTruthy();
  expect(screen.queryByRole("link", { name: /^(Next clause|Go to the signature)/ })).toBeNull();
});

test("shows a contract with unverified text as PDF, and still signs it", async () => {
  open({ document: { ...storedDocument(), text: null } });
  await form();
  expect(screen.getByRole("link", { name: /Open PDF/ }).getAttribute("href")).toBe(contract.document?.url);
  expect(screen.queryByText(/of 3 clauses/)).toBeNull();
});

test("sends nothing without consent, explains it at the checkbox and focuses it", async () => {
  open();
  await form();
  await userEvent.click(sign());
  expect(await screen.findByText("Agree to sign electronically.")).toBeTruthy();
  const consent = screen.getByRole("checkbox");
  expect(consent.getAttribute("aria-invalid")).toBe("true");
  expect(document.activeElement).toBe(consent);
  expect(calls.signContract).not.toHaveBeenCalled();
});

test("rejects a name of one character at its field", async () => {
  open();
  const name = within(await form()).getByLabelText("Your full name");
  await userEvent.clear(name);
  await userEvent.type(name, "H");
  await userEvent.click(screen.getByRole("checkbox"));
  await userEvent.click(sign());
  expect(await screen.findByText("Enter your full name.")).toBeTruthy();
  expect(calls.signContract).not.toHaveBeenCalled();
});

test("sends name, consent and the displayed fingerprint for a typed signature, by keyboard alone", async () => {
  calls.signContract.mockResolvedValue({ ...contract, can_sign: false, signers: signedBy("promoter") });
  open();
  const name = within(await form()).getByLabelText("Your full name");
  name.focus();
  await userEvent.clear(name);
  await userEvent.keyboard("Žofie Нова");
  screen.getByRole("checkbox").focus();
  await userEvent.keyboard(" ");
  await userEvent.tab();
  expect(document.activeElement).toBe(sign());
  await userEvent.keyboard("{Enter}");
  expect(await screen.findByText("You have signed")).toBeTruthy();
  expect(calls.signContract).toHaveBeenCalledWith({
    key,
    name: "Žofie Нова",
    drawing: null,
    consent: true,
    documentHash: hash,
    code: null,
  });
  expect(screen.getByText(/takes effect once Electric Dreams has signed too/)).toBeTruthy();
  expect(screen.queryByRole("form", { name: "Your signature" })).toBeNull();
});

test("rejects an empty drawing, sends one as lines in its box, and clears it", async () => {
  calls.signContract.mockResolvedValue({
    ...contract,
    can_sign: false,
    status: "signed",
    signers: signedBy("promoter", "artist"),
  });
  open();
  await form();
  await userEvent.click(screen.getByRole("radio", { name: "Draw" }));
  await userEvent.click(screen.getByRole("checkbox"));
  await userEvent.click(sign());
  expect(await screen.findByText("Draw your signature, or type it.")).toBeTruthy();
  expect(calls.signContract).not.toHaveBeenCalled();
  const draw = () => {
    const pad = screen.getByRole("img");
    pad.getBoundingClientRect = () => ({ left: 0, top: 0, width: 300, height: 100 }) as DOMRect;
    fireEvent.pointerDown(pad, { pointerId: 1, clientX: 5, clientY: 5 });
    fireEvent.pointerMove(pad, { pointerId: 1, clientX: 150, clientY: 60 });
    fireEvent.pointerMove(pad, { pointerId: 1, clientX: 400, clientY: 50 });
    fireEvent.pointerUp(pad, { pointerId: 1 });
  };
  draw();
  expect(screen.getByRole("img").getAttribute("aria-label")).toBe("Your drawn signature: Hannah Whitt");
  await userEvent.click(screen.getByRole("button", { name: "Clear" }));
  expect(screen.getByRole("img").getAttribute("aria-label")).toBe("Nothing is drawn yet");
  draw();
  await userEvent.click(sign());
  expect(await screen.findByText("Signed by both of you")).toBeTruthy();
  expect(calls.signContract.mock.calls[0]?.[0]).toMatchObject({ drawing: "M10,10L300,120L600,100" });
});

test("accepts the displayed document by click if the promoter's settings require no signature", async () => {
  calls.acceptContract.mockResolvedValue({ ...contract, can_sign: false, signers: signedBy("promoter") });
  open({ accept_by_click: true });
  const accept = await screen.findByRole("button", { name: "I accept" });
  expect(screen.queryByLabelText("Your full name")).toBeNull();
  await userEvent.click(accept);
  expect(await screen.findByText("Agree to the electronic contract.")).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole("checkbox"));
  expect(calls.acceptContract).not.toHaveBeenCalled();
  await userEvent.keyboard(" ");
  await userEvent.click(accept);
  expect(await screen.findByText("You have signed")).toBeTruthy();
  expect(calls.acceptContract).toHaveBeenCalledWith({ key, consent: true, documentHash: hash });
});

const sentCode = { channel: "email", to: "ha…@whitt.example", expires_at: "2026-11-22T10:10:00.000Z" } as const;

test("sends a required code, and passes it with the signature, by keyboard alone", async () => {
  calls.sendSigningCode.mockResolvedValue(sentCode);
  calls.signContract.mockResolvedValue({ ...contract, can_sign: false, signers: signedBy("promoter") });
  open({ code: { sent: null } });
  const group = within(within(await form()).getByRole("group", { name: "One-time code" }));
  await userEvent.click(screen.getByRole("checkbox"));
  await userEvent.click(sign());
  expect(await screen.findByText("Request the code first.")).toBeTruthy();
  expect(document.activeElement).toBe(group.getByRole("button", { name: "Send me a code" }));
  await userEvent.keyboard("{Enter}");
  const field = await group.findByLabelText<HTMLInputElement>("Code");
  expect(calls.sendSigningCode).toHaveBeenCalledWith({ key });
  expect(group.getByRole("status").textContent).toContain("by email to ha…@whitt.example");
  expect(document.activeElement).toBe(field);
  expect([field.inputMode, field.autocomplete]).toEqual(["numeric", "one-time-code"]);
  await userEvent.keyboard("0482");
  await userEvent.click(sign());
  expect(await screen.findByText("Enter all 6 digits of the code.")).toBeTruthy();
  expect(document.activeElement).toBe(field);
  expect(calls.signContract).not.toHaveBeenCalled();
  await userEvent.keyboard("13{Enter}");
  expect(await screen.findByText("You have signed")).toBeTruthy();
  expect(calls.signContract.mock.calls[0]?.[0]).toMatchObject({ key, code: "048213" });
});

test("shows a wrong code at its emptied field, and reports a code that could not be sent", async () => {
  const message = "This is not the code that was sent. Check it and try again.";
  calls.signContract.mockRejectedValue(apiError(400, message, [{ field: "code", message }]));
  calls.sendSigningCode.mockRejectedValue(apiError(429, "Too many attempts."));
  open({ code: { sent: sentCode } });
  const field = await screen.findByLabelText<HTMLInputElement>("Code");
  await userEvent.type(field, "111111");
  await userEvent.click(screen.getByRole("checkbox"));
  await userEvent.click(sign());
  await waitFor(() => expect(field.getAttribute("aria-invalid")).toBe("true"));
  expect(field.value).toBe("");
  expect(screen.getByText(message).id).toBe(field.getAttribute("aria-describedby"));
  expect(screen.getByRole<HTMLButtonElement>("button", { name: /Send it again in/ }).disabled).toBe(true);
  expect(screen.queryByText("You have signed")).toBeNull();
});

test("shows a server error, and sends the form again", async () => {
  calls.signContract.mockRejectedValue(apiError(409, "The time for signing is over."));
  open();
  await form();
  await userEvent.click(screen.getByRole("checkbox"));
  await userEvent.click(sign());
  await waitFor(() =>
    expect(toasts.toast).toHaveBeenCalledWith({ tone: "error", title: "Error", text: "The time for signing is over." }),
  );
  expect(screen.queryByText("You have signed")).toBeNull();
  calls.signContract.mockResolvedValue({ ...contract, can_sign: false, signers: signedBy("promoter") });
  await userEvent.click(sign());
  expect(await screen.findByText("You have signed")).toBeTruthy();
});

test("requires a reason to decline, and shows the refund before and after", async () => {
  calls.declineContract.mockResolvedValue({ declined: true, refund_cents: 37_500, currency: "usd" });
  open();
  await form();
  await userEvent.click(screen.getByText("Something is wrong? Decline instead"));
  expect(screen.getByText("Electric Dreams reads this. The booking ends, and you get $375 back.")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Decline contract" }));
  expect(await screen.findByText("Describe briefly what should change.")).toBeTruthy();
  expect(calls.declineContract).not.toHaveBeenCalled();
  await userEvent.type(screen.getByLabelText("What should change?"), "The date was a mistake.");
  await userEvent.click(screen.getByRole("button", { name: "Decline contract" }));
  expect(await screen.findByRole("heading", { level: 1, name: "You declined the contract" })).toBeTruthy();
  expect(screen.getByText(/\$375 is refunded to the card it was paid with\./)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Open the booking" }).getAttribute("href")).toBe(
    `/booking/${contract.booking_id}`,
  );
  expect(screen.getByRole("link", { name: "View other dates" }).getAttribute("href")).toBe("/artist/electric-dreams");
  expect(calls.declineContract).toHaveBeenCalledWith({ key, reason: "The date was a mistake.", documentHash: hash });
});

test("shows gross, commission and net to the artist before signing", async () => {
  open({ side: "artist", earnings: { gross_cents: 150_000, commission_cents: 15_000, net_cents: 135_000 } });
  expect((await screen.findByText("Net")).nextSibling?.textContent).toBe("$1,350.00");
  expect(screen.getByText("Commission").nextSibling?.textContent).toBe("−\u00a0$150.00");
});

test("names the part of the refund that waits for a dispute before the contract is declined", async () => {
  open({ waiting_if_declined: 20_000 });
  await form();
  await userEvent.click(screen.getByText("Something is wrong? Decline instead"));
  expect(screen.getByText(/you get \$375 back\. \$200 of it waits until the dispute at the payer's bank/)).toBeTruthy();
});

const closed = { can_sign: false, expires_at: null, refund_if_declined: null } as const;
test.each([
  ["the time is over", closed, "Not open for signing"],
  ["I have signed", { ...closed, signers: signedBy("promoter") }, "You have signed"],
  ["both have signed", { ...closed, status: "signed", booking_status: "contract_signed" }, "Signed by both of you"],
  ["the booking was canceled", { ...closed, booking_status: "canceled" }, "The booking has ended"],
  ["the other declined", { ...closed, status: "declined", booking_status: "canceled" }, "The booking has ended"],
] as const)("explains why no action is possible when %s", async (_when, given, title) => {
  open(given as Partial<ContractResponse>);
  expect(await screen.findByText(title)).toBeTruthy();
  expect(screen.queryByRole("button", { name: /Sign contract|Decline/ })).toBeNull();
});

test("explains that a contract has no document yet", async () => {
  open({ ...closed, status: "draft", document: null });
  expect(await screen.findByText(/This contract does not exist yet/)).toBeTruthy();
});

test("distinguishes a used link from a guessed one, and reveals nothing of a contract", async () => {
  const used = apiError(410, "This link has been used: you have signed this contract.");
  calls.openContract.mockRejectedValue(
    Object.assign(used, {
      data: { ...used.data, data: { booking_id: contract.booking_id, side: "promoter", end: "signed" } },
    }),
  );
  show();
  expect(await screen.findByRole("heading", { name: "This link has been used" })).toBeTruthy();
  screen.getByText(/You can read the contract on the page of the booking\.$/);
  // A promoter without an account has no dashboard. The booking's page opens with the browser's key or a new link.
  const back = screen.getByRole("link", { name: "Open the booking" });
  expect(back.getAttribute("href")).toBe(`/booking/${contract.booking_id}`);
  calls.openContract.mockRejectedValue(apiError(404, "This link opens no contract."));
  show();
  expect(await screen.findByRole("heading", { name: "No contract here" })).toBeTruthy();
  expect(screen.queryByText(/SD-/)).toBeNull();
  cleanup();
  calls.openContract.mockRejectedValue(apiError(400, "Key: At least 20 characters."));
  show();
  expect(await screen.findByText("This link is incomplete. Open the newest link in your email.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Sign In" }).getAttribute("href")).toBe("/auth");
  screen.getByRole("link", { name: "Contact us" });
});

test.each([
  ["canceled", "This booking is canceled", ["Open the booking", "Browse Artists", "Contact us"]],
  ["attested", "This contract is signed", ["Open the booking", "Contact us"]],
  ["expired", "This link has expired", ["Open the booking", "Contact us"]],
] as const)("states why a link has ended and where to go: %s", async (end, title, links) => {
  const gone = apiError(410, "The reason, and when.");
  const data = { booking_id: contract.booking_id, side: "promoter", end };
  calls.openContract.mockRejectedValue(Object.assign(gone, { data: { ...gone.data, data } }));
  show();
  expect(await screen.findByRole("heading", { level: 1, name: title })).toBeTruthy();
  screen.getByText("The reason, and when.");
  expect(screen.getAllByRole("link").map(({ textContent }) => textContent)).toEqual(links);
});

test("offers Retry without a response, which opens the contract", async () => {
  calls.openContract.mockRejectedValueOnce(apiError(500, "Something went wrong."));
  show();
  expect(await screen.findByRole("heading", { level: 1, name: "The contract could not be loaded" })).toBeTruthy();
  calls.openContract.mockResolvedValue(contract);
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  await form();
});

test("shows who signs first, offers to decline, and shows no form before a party's turn", async () => {
  calls.declineContract.mockResolvedValue({ declined: true, refund_cents: 37_500, currency: "usd" });
  open({ can_sign: false, signs_before: "artist", first_signer: "artist" });
  expect(await screen.findByText("The artist signs first")).toBeTruthy();
  expect(screen.getByText(/We email you when it is your turn/)).toBeTruthy();
  expect(screen.getByText(/The artist signs first\. Signatures are due by Saturday 28 November, 14:03/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Sign contract" })).toBeNull();
  await userEvent.click(screen.getByText("Something is wrong? Decline instead"));
  await userEvent.type(screen.getByLabelText("What should change?"), "The date was a mistake.");
  await userEvent.click(screen.getByRole("button", { name: "Decline contract" }));
  expect(await screen.findByRole("heading", { name: "You declined the contract" })).toBeTruthy();
  expect(calls.declineContract).toHaveBeenCalledWith({ key, reason: "The date was a mistake.", documentHash: hash });
});

const refunded = "the booking ends and everything that was paid is refunded.";
const byTerms = "the booking ends and the cancellation terms apply.";
test.each([
  [
    "both signatures, to the promoter",
    { side: "promoter" },
    `If only Electric Dreams signs in time, ${byTerms} If only you sign in time, ${refunded} If neither of you signs in time, everything that was paid is refunded.`,
  ],
  [
    "both signatures, to the promoter who signs after the artist",
    { side: "promoter", first_signer: "artist" },
    `If Electric Dreams does not sign in time, ${refunded} If only Electric Dreams signs in time, ${byTerms} If the artist signs less than 24 hours before then, everything that was paid is refunded instead.`,
  ],
  [
    "both signatures, to the promoter who signs first",
    { side: "promoter", first_signer: "promoter" },
    `If you do not sign in time, ${byTerms} If only you sign in time, ${refunded}`,
  ],
  [
    "the artist's own signature",
    { side: "artist", signers: signedBy("promoter") },
    `If you do not sign in time, ${refunded}`,
  ],
  [
    "the promoter's signature, to the artist who signs first and has signed",
    { side: "artist", first_signer: "artist", signers: signedBy("artist") },
    `If Hannah Whitt does not sign in time, ${byTerms} If the artist signs less than 24 hours before then, everything that was paid is refunded instead.`,
  ],
] as const)("states what happens without %s", async (_what, given, text) => {
  open(given as Partial<ContractResponse>);
  const note = await screen.findByText(/Signatures are due by/);
  expect(note.textContent).toMatch(/\(US Central\)\. /);
  expect(note.textContent?.split("(US Central). ")[1]).toBe(text);
});

test("states the single extension of the time to sign, as the email does, and a note to the first signer", async () => {
  open({ side: "artist", first_signer: "artist", extends_until: "2026-12-01T20:03:00.000Z" });
  const note = await screen.findByText(/Signatures are due by/);
  expect(note.textContent).toContain(
    "14:03 (US Central). If it is not signed by then, the time is extended once, until Tuesday 1 December, 14:03 (US Central). If",
  );
  expect(screen.getByText(/You sign first\./)).toBeTruthy();
});
