import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { dayMs } from "#platform/time/durations.rules.ts";
import { apiError, press, renderInMantine } from "../../dashboard/test-providers.tsx";
import { Disputes } from "./disputes.tsx";
import type { BookingDispute } from "./use-disputes.ts";

type Answer = { data?: { items: BookingDispute[] }; error: Error | null; isFetching: boolean };
const server = vi.hoisted(() => ({
  send: vi.fn(),
  returnShare: vi.fn(),
  accept: vi.fn(),
  refetch: vi.fn(),
  documentLink: vi.fn(),
}));
let response: Answer;
vi.mock("./use-disputes.ts", () => ({
  useDisputes: () => ({ ...response, refetch: server.refetch }),
  useSendEvidence: () => ({ mutateAsync: server.send }),
  useAcceptDispute: () => ({ mutateAsync: server.accept }),
  useReturnShare: () => ({ mutateAsync: server.returnShare }),
}));
vi.mock("../../lib/api/browser-api.ts", () => ({
  browserApi: { bookings: { contract: { documentLink: server.documentLink } } },
}));

beforeEach(() => vi.resetAllMocks());

const open: BookingDispute = {
  id: "0a1b2c3d-0000-4000-8000-000000000001",
  ref: "du_1",
  kind: "deposit",
  provider_payment: "pi_1",
  sandbox: true,
  amount: 37_500,
  currency: "usd",
  reason: "product_not_received",
  status: "needs_response",
  state: "open",
  due_at: new Date(Date.now() + 9 * dayMs).toISOString(),
  opened_at: new Date().toISOString(),
  closed_at: null,
  withdrawn_cents: 37_500,
  borne: null,
  returned: null,
  returnable: null,
  unreturned_cents: 0,
  payer_due_cents: 0,
  can_send: true,
  can_accept: true,
  evidence: null,
  contract_id: "0a1b2c3d-0000-4000-8000-000000000002",
  pieces: [
    { field: "customer_signature", text: null, file: "contract-SD-7KQ4MN-signed.pdf" },
    { field: "access_activity_log", text: "Requested\nDeposit paid", file: null },
  ],
};
function draw(...items: BookingDispute[]) {
  response = { data: { items }, error: null, isFetching: false };
  renderInMantine(<Disputes bookingId="b" />);
}

test("renders no section for a booking without a dispute", () => {
  draw();
  expect(screen.queryByRole("region", { name: "Disputes" })).toBeNull();
});

test("shows an open dispute's reason, time left and evidence, and sends the evidence after a confirmation", async () => {
  draw(open);
  screen.getByText("The payer says that the show did not take place or the artist did not appear.");
  screen.getByText("9 days left to answer.");
  screen.getByText("Needs an answer");
  expect(screen.queryByRole("link", { name: /contract-SD/ })).toBeNull();
  expect(screen.getByText(/Deposit paid/).closest("details")).not.toBeNull();
  expect(screen.getByRole("link", { name: "Open this payment in the sandbox" }).getAttribute("href")).toBe(
    "/sandbox/payment/pi_1",
  );
  press("Send evidence");
  const dialog = await screen.findByRole("dialog");
  expect(server.send).not.toHaveBeenCalled();
  within(dialog).getByText(/You can send it once/);
  server.send.mockResolvedValue({});
  within(dialog).getByRole("button", { name: "Send evidence" }).click();
  await waitFor(() => expect(server.send).toHaveBeenCalledWith({ id: open.id, note: "" }));
});

test("states before the evidence is sent which parts are shortened", () => {
  const cut = "Requested\n(12 more lines are left out, because card networks limit the pages.)";
  draw({ ...open, pieces: [...open.pieces, { field: "uncategorized_text", text: cut, file: null }] });
  const parts = screen.getAllByRole("group").map((part) => part.querySelector("summary")?.textContent);
  expect(parts).toEqual(["What happened, step by step", "Attendance, signatures and messages (shortened)"]);
  screen.getByText("Card networks limit the pages, so the end of each shortened part is left out.");
});

test("opens the contract of the evidence by a link that the server creates for the admin", async () => {
  const tab = { location: { href: "" } };
  const opened = vi.spyOn(window, "open").mockReturnValue(tab as never);
  server.documentLink.mockResolvedValue({ url: "https://files.example/signed.pdf" });
  draw(open);
  screen.getByRole("button", { name: /^contract-SD-7KQ4MN-signed\.pdf/ }).click();
  await waitFor(() => expect(tab.location.href).toBe("https://files.example/signed.pdf"));
  expect(server.documentLink).toHaveBeenCalledWith({ id: open.contract_id, kind: "copy" });
  opened.mockRestore();
});

test("shows sent evidence read-only, and failed evidence with its error", () => {
  const sent = { status: "succeeded", requested_at: open.opened_at, sent_at: open.opened_at, error: null } as const;
  draw(
    { ...open, state: "review", can_send: false, evidence: sent },
    {
      ...open,
      id: "0a1b2c3d-0000-4000-8000-000000000003",
      evidence: { ...sent, status: "failed", sent_at: null, error: "No such file." },
    },
  );
  screen.getByText("The bank decides");
  screen.getByText(/^The evidence was sent today \d\d:\d\d\./);
  screen.getByRole("heading", { level: 4, name: "Evidence that was sent" });
  screen.getByText(/No such file\. You can send it again\./);
  expect(screen.getAllByRole("button", { name: "Send evidence" })).toHaveLength(1);
});

test("shows who bore the loss of a dispute, and waits for no decision", () => {
  const borne = { held: 0, artist: 33_750, platform: 3_750, refunded: 0 };
  const lost: BookingDispute = { ...open, state: "lost", status: "lost", can_send: false, borne, pieces: [] };
  const at = open.opened_at;
  const evidence = { status: "succeeded", requested_at: at, sent_at: at, error: null } as const;
  draw({ ...lost, closed_at: at, evidence });
  screen.getByText(/^The evidence was sent/);
  expect(screen.queryByText(/Banks take weeks/)).toBeNull();
  screen.getByText("Borne by the artist");
  screen.getByText("$337.50");
  expect(screen.queryByText("Instead of a refund")).toBeNull();
  expect(screen.queryByText(/left to answer/)).toBeNull();
});

test("offers Retry after a failed request", () => {
  response = { error: apiError("internal", "Something went wrong.", 500), isFetching: false };
  renderInMantine(<Disputes bookingId="b" />);
  press("Retry");
  expect(server.refetch).toHaveBeenCalled();
});

test("returns the artist's share after an appeal, and confirms the amounts first", async () => {
  const won = { ...open, state: "won" as const, can_send: false, due_at: null, pieces: [] };
  draw({ ...won, returnable: { artist: 33_750, platform: 3_750 }, unreturned_cents: 17_500 });
  press("Return the artist's share");
  const dialog = await screen.findByRole("dialog");
  within(dialog).getByText(
    /We return \$337\.50, which .* \$37\.50 is our commission again\..* not returned \$175 yet\. You can return a share only once/,
  );
  expect(server.returnShare).not.toHaveBeenCalled();
  server.returnShare.mockResolvedValue({});
  within(dialog).getByRole("button", { name: "Return $337.50" }).click();
  await waitFor(() => expect(server.returnShare).toHaveBeenCalledWith({ id: open.id, expected_artist_cents: 33_750 }));
});

test("names what is due to the payer of a canceled booking, without a share to return", () => {
  draw({ ...open, state: "won", can_send: false, pieces: [], payer_due_cents: 37_500 });
  screen.getByText(/By the terms of the cancellation, \$375 of it is due to the payer\./);
  expect(screen.queryByRole("button", { name: /Return the artist/ })).toBeNull();
});

test("shows a returned share, and does not offer to return it again", () => {
  draw({ ...open, state: "won", can_send: false, pieces: [], returned: { artist: 33_750, platform: 3_750 } });
  screen.getByText("Returned to the artist");
  expect(screen.queryByRole("button", { name: /Return the artist/ })).toBeNull();
});

test("accepts a dispute after a confirmation that explains the effect", async () => {
  draw(open);
  press("Accept dispute");
  const dialog = await screen.findByRole("dialog");
  within(dialog).getByText(/lost immediately and the payer keeps \$375\. .* cannot undo this/);
  expect(server.accept).not.toHaveBeenCalled();
  server.accept.mockResolvedValue({});
  within(dialog).getByRole("button", { name: "Accept dispute" }).click();
  await waitFor(() => expect(server.accept).toHaveBeenCalledWith({ id: open.id }));
});

test("does not offer to accept an answered dispute", () => {
  draw({ ...open, state: "review", can_send: false, can_accept: false });
  expect(screen.queryByRole("button", { name: "Accept dispute" })).toBeNull();
});
