import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { formatDeadline } from "../../lib/format/dates.ts";
import { contract, hash, storedDocument } from "./testing/test-contract.ts";
import {
  apiError,
  calls,
  declineWith,
  form,
  htmlOf,
  key,
  observers,
  open,
  see,
  show,
  sign,
  signedBy,
  signedResponse,
} from "./testing/test-sign-page.tsx";
import { signingStateAfter } from "./use-signing.ts";
import type { ContractResponse } from "./use-signing.ts";

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
  expect(
    screen.getAllByText(`Sign by ${formatDeadline(contract.expires_at ?? "")}.`, { exact: false }).length,
  ).toBeGreaterThan(0);
  expect(screen.getByText("Waiting for you")).toBeTruthy();
  expect(document.querySelector("#signature")?.contains(await form())).toBe(true);
  expect(screen.getByLabelText<HTMLInputElement>("Your full name").value).toBe("Hannah Whitt");
});

test("contains the deadline in venue time, both parties and the form before the scripts, which wait for them", () => {
  const time = { now: "2026-11-27T12:00:00Z", zone: "America/Chicago", platformZone: "America/New_York" };
  const { body } = new DOMParser().parseFromString(htmlOf({ state: { phase: "open", contract }, time }), "text/html");
  const page = within(body);
  expect(page.getAllByText("Sign by Sat 28 Nov 14:03, venue time.", { exact: false })[0]?.textContent).toMatch(
    /^32 hours left\./,
  );
  page.getByText(/Signatures are due by Sat 28 Nov 14:03, venue time\./);
  expect(page.getByLabelText("Your full name").closest("[inert]")).toBeTruthy();
});

test("counts a clause as read after its end was visible for a second, and requires no reading to sign", async () => {
  open();
  await form();
  const strip = () => screen.getByText(/of 3 clauses/).textContent;
  expect(strip()).toBe("0 of 3 clauses");
  await waitFor(() => expect(observers).not.toHaveLength(0));
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
  calls.signContract.mockResolvedValue(signedResponse("promoter"));
  open();
  await form();
  expect(screen.getByRole("link", { name: /^(Next clause|Go to the signature)/ }).getAttribute("href")).toMatch(/^#/);
  await waitFor(() => expect(observers).not.toHaveLength(0));
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

test("requires a reason to decline, and shows the refund before and after", async () => {
  calls.declineContract.mockResolvedValue({ declined: true, refund_cents: 37_500, currency: "usd" });
  open();
  await form();
  await userEvent.click(screen.getByText("Something is wrong? Decline instead"));
  expect(screen.getByText("Electric Dreams reads this. The booking ends, and you get $375 back.")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Decline contract" }));
  expect(await screen.findByText("Describe briefly what should change.")).toBeTruthy();
  expect(calls.declineContract).not.toHaveBeenCalled();
  calls.declineContract.mockRejectedValueOnce(apiError(409, "It is signed already."));
  await declineWith("The date was a mistake.");
  const decline = screen.getByRole("form", { name: "Decline" });
  expect((await within(decline).findByRole("alert")).textContent).toBe("It is signed already.");
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
  const earnings = { gross_cents: 150_000, returned_cents: 0, commission_cents: 15_000, net_cents: 135_000 };
  open({ side: "artist", earnings });
  expect((await screen.findByText("Net")).nextSibling?.textContent).toBe("$1,350.00");
  expect(screen.getByText("Commission").nextSibling?.textContent).toBe("−\u00a0$150.00");
  expect(screen.queryByText("Refunds and lost disputes")).toBeNull();
  cleanup();
  open({ earnings: { ...earnings, returned_cents: 10_000, commission_cents: 14_000, net_cents: 126_000 } });
  expect((await screen.findByText("Refunds and lost disputes")).nextSibling?.textContent).toBe("−\u00a0$100.00");
});

test("names the part of the refund that waits for a dispute before the contract is declined", async () => {
  open({ waiting_if_declined: 20_000 });
  await form();
  await userEvent.click(screen.getByText("Something is wrong? Decline instead"));
  expect(screen.getByText(/you get \$375 back\. \$200 of it waits until the dispute at the payer's bank/)).toBeTruthy();
});

test("promises no refund to the promoter of a contract without a payment", async () => {
  open({ side: "artist", refund_if_declined: 0 });
  await form();
  await userEvent.click(screen.getByText("Something is wrong? Decline instead"));
  expect(screen.getByText(/reads this\. The booking ends\. There is no payment to refund\.$/)).toBeTruthy();
});

const closed = { can_sign: false, expires_at: null, refund_if_declined: null } as const;

test.each([
  ["the time is over", closed, "The time for signing is over"],
  ["I have signed", { ...closed, signers: signedBy("promoter") }, "You have signed"],
  ["both have signed", { ...closed, status: "signed", booking_status: "contract_signed" }, "Signed by both of you"],
  ["the booking was canceled", { ...closed, booking_status: "canceled" }, "This booking has ended"],
  ["the other declined", { ...closed, status: "declined", booking_status: "canceled" }, "This booking has ended"],
] as const)("explains why no action is possible when %s", async (_when, given, title) => {
  open(given as Partial<ContractResponse>);
  expect(await screen.findByText(title)).toBeTruthy();
  expect(screen.queryByRole("button", { name: /Sign contract|Decline/ })).toBeNull();
});

test("shows my written signature in place of the form, and only there", async () => {
  const method = "typed" as const;
  const signers = signedBy("promoter", "artist").map((one) => ({ ...one, signature: { method, name: one.name } }));
  open({ ...closed, status: "signed", booking_status: "contract_signed", signers } as Partial<ContractResponse>);
  const parties = within(await screen.findByRole("complementary", { name: "Both of you" }));
  screen.getByRole("img", { name: "Signature of Hannah Whitt" });
  expect(parties.queryByRole("img", { name: "Signature of Hannah Whitt" })).toBeNull();
  parties.getByRole("img", { name: "Signature of Electric Dreams" });
});

test.each([
  ["sent", "A former owner has signed", ["artist"]],
  ["signed", "Signed by both parties", ["promoter", "artist"]],
] as const)("states to a later owner of the profile who signed a contract that is %s", async (...given) => {
  const [status, title, sides] = given;
  open({ ...closed, status, side: "artist", signed_by_former_owner: true, signers: signedBy(...sides) });
  await screen.findByRole("heading", { name: title });
  screen.getByRole("heading", { name: "The signature of the artist" });
  screen.getByText(/^A former owner of your profile signed\. The signature is stored/);
  expect(document.body.textContent).not.toMatch(/[Yy]our signature|[Yy]ou have signed|, you|You can both download/);
});

test("marks a contract that can no longer be signed, and states no next steps", async () => {
  open(closed);
  expect(await screen.findByRole("link", { name: "Open the booking" })).toBeTruthy();
  screen.getByText("This contract can no longer be signed. The booking shows what happens next.");
  expect(screen.getAllByText("Not signed")).toHaveLength(2);
  expect(screen.queryByText("What happens next")).toBeNull();
  expect(screen.queryByText("Waiting for you")).toBeNull();
  expect(screen.queryByRole("link", { name: /^Next clause/ })).toBeNull();
});

test("offers the signed PDF once it exists", async () => {
  open({
    ...signedResponse("promoter", "artist"),
    status: "signed",
    document: { ...storedDocument(), is_signed: true },
  });
  const link = await screen.findByRole("link", { name: "Download PDF with signatures" });
  expect(link.getAttribute("download")).toBe("contract-SD-7KQ4MN-signed.pdf");
  expect(screen.queryByText(/The same text as here/)).toBeNull();
  // The email of the signed contract can be switched off.
  screen.getByText(/You and Electric Dreams can download the signed PDF\.$/);
  expect(document.body.textContent).not.toMatch(/We email the signed PDF|by email/);
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

test("shows that the booking was canceled while the contract was open, if it is signed then", async () => {
  open();
  await form();
  const gone = apiError(410, "Electric Dreams declined it.");
  const data = { booking_id: contract.booking_id, side: "promoter", end: "canceled" };
  calls.openContract.mockRejectedValue(Object.assign(gone, { data: { ...gone.data, data } }));
  calls.signContract.mockRejectedValue(apiError(409, "This booking is canceled."));
  await userEvent.click(screen.getByRole("checkbox", { name: /I have read the contract/ }));
  await userEvent.click(sign());
  expect(await screen.findByRole("heading", { level: 1, name: "This booking is canceled" })).toBeTruthy();
  screen.getByText("Electric Dreams declined it.");
});

test("shows a link that the server found ended, and requests nothing", async () => {
  const ended = { booking_id: contract.booking_id, side: "promoter", end: "expired" };
  const fromServer = Object.assign(new Error("It expired yesterday."), { status: 410, code: "gone", data: ended });
  show({ state: signingStateAfter(fromServer) });
  expect(await screen.findByRole("heading", { level: 1, name: "This link has expired" })).toBeTruthy();
  screen.getByText("It expired yesterday.");
  expect(screen.getByRole("link", { name: "Open the booking" })).toBeTruthy();
  expect(calls.openContract).not.toHaveBeenCalled();
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
  expect(screen.getByText(/The artist signs first\. Signatures are due by .*, your time\./)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Sign contract" })).toBeNull();
  await userEvent.click(screen.getByText("Something is wrong? Decline instead"));
  await declineWith("The date was a mistake.");
  expect(await screen.findByRole("heading", { name: "You declined the contract" })).toBeTruthy();
  expect(calls.declineContract).toHaveBeenCalledWith({ key, reason: "The date was a mistake.", documentHash: hash });
});

const refunded = "everything that was paid is refunded.";
const byTerms = "the cancellation terms apply.";
const lateTurn = "If the artist signs less than 24 hours before the end, everything that was paid is refunded instead.";

test.each([
  [
    "both signatures, to the promoter",
    { side: "promoter" },
    [`Only Electric Dreams signs: ${byTerms}`, `Only you sign: ${refunded}`, `Neither of you signs: ${refunded}`],
  ],
  [
    "both signatures, to the promoter who signs after the artist",
    { side: "promoter", first_signer: "artist" },
    [`Electric Dreams does not sign: ${refunded}`, `Only Electric Dreams signs: ${byTerms} ${lateTurn}`],
  ],
  [
    "both signatures, to the promoter who signs first",
    { side: "promoter", first_signer: "promoter" },
    [`You do not sign: ${byTerms}`, `Only you sign: ${refunded}`],
  ],
  ["the artist's own signature", { side: "artist", signers: signedBy("promoter") }, [`You do not sign: ${refunded}`]],
  [
    "the promoter's signature, to the artist who signs first and has signed",
    { side: "artist", first_signer: "artist", signers: signedBy("artist") },
    [`Hannah Whitt does not sign: ${byTerms} ${lateTurn}`],
  ],
] as const)("states what happens without %s", async (_what, given, results) => {
  open(given as Partial<ContractResponse>);
  const note = await screen.findByText(
    /Signatures are due by .*, your time\. If one is missing then, the booking ends:$/,
  );
  expect([...(note.nextElementSibling?.children ?? [])].map(({ textContent }) => textContent)).toEqual(results);
});

test("states the single extension of the time to sign, as the email does, and a note to the first signer", async () => {
  open({ side: "artist", first_signer: "artist", extends_until: "2026-12-01T20:03:00.000Z" });
  const note = await screen.findByText(/Signatures are due by/);
  expect(note.textContent).toContain(
    `your time. If one is missing then, the time is extended once, until ${formatDeadline("2026-12-01T20:03:00.000Z")}. If it is still missing, the booking ends:`,
  );
  expect(screen.getByText(/You sign first\./)).toBeTruthy();
});
