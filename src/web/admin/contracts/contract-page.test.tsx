import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { apiError, press, renderInMantine } from "../../dashboard/test-providers.tsx";
import type { ContractWithEvidence } from "../../lib/api/admin/contracts.ts";
import AdminContractPage from "./contract-page.tsx";

type Answer = { data?: ContractWithEvidence; error: Error | null; isFetching: boolean };
let response: Answer;
const server = vi.hoisted(() => ({
  refetch: vi.fn(),
  sendAgain: vi.fn(),
  openMarkSigned: vi.fn(),
  openDecide: vi.fn(),
}));
vi.mock("../../lib/api/admin/contracts.ts", () => ({
  useContract: () => ({ ...response, refetch: server.refetch }),
  useSendContractAgain: () => ({ mutateAsync: server.sendAgain }),
}));
vi.mock("../../booking/actions/objection-dialog.tsx", () => ({ openDecideObjection: server.openDecide }));
vi.mock("../../booking/actions/mark-signed-dialog.tsx", () => ({ openMarkSigned: server.openMarkSigned }));

const hash = (digit: string) => digit.repeat(64);
const contract: ContractWithEvidence = {
  id: "c1",
  status: "sent",
  provider: "embedded",
  template: "standard 1",
  first_signer: null,
  terms_hash: hash("a"),
  document_hash: hash("b"),
  created_at: "2026-11-20T12:00:00.000Z",
  sent_at: "2026-11-21T12:00:00.000Z",
  signed_at: null,
  expires_at: "2026-11-28T12:00:00.000Z",
  declined: null,
  sending: null,
  booking: {
    id: "b1",
    number: "SD-7KQ4MN",
    status: "contract_sent",
    event_date: "2027-02-13",
    venue_name: "The Waterworks",
    promoter_name: "Hannah Whitt",
  },
  artist: { slug: "electric-dreams", name: "Electric Dreams", genre: "electronic" },
  parties: [
    { side: "promoter", name: "Hannah Whitt", signed_name: null, method: null, signed_at: null },
    {
      side: "artist",
      name: "Electric Dreams",
      signed_name: "Electra",
      method: "drawn",
      signed_at: "2026-11-21T13:00:00.000Z",
    },
  ],
  files: [{ kind: "agreement", sha256: hash("b"), bytes: 31_000, pages: 3, created_at: "2026-11-21T12:00:00.000Z" }],
  seal: { state: "none", at: null, certificate: null },
  attestation: null,
  evidence: {
    fault: null,
    events: [
      {
        number: 1,
        kind: "sent",
        side: null,
        at: "2026-11-21T12:00:00.000Z",
        address: null,
        agent: null,
        document: hash("b"),
        hash: hash("1"),
        details: [{ name: "template", value: "standard 1" }],
      },
      {
        number: 2,
        kind: "signed",
        side: "artist",
        at: "2026-11-21T13:00:00.000Z",
        address: "203.0.113.7",
        agent: "A browser",
        document: hash("b"),
        hash: hash("2"),
        details: [{ name: "name", value: "Electra" }],
      },
    ],
  },
  can: { mark_signed: true, send_again: true, open_paper: false },
};
const params = { id: "c1" };
const open = (given: Partial<ContractWithEvidence> = {}) => {
  response = { data: { ...contract, ...given }, error: null, isFetching: false };
  return renderInMantine(<AdminContractPage params={params} />);
};
beforeEach(() => vi.resetAllMocks());

test("shows details, parties, files with fingerprints, and every event in UTC with its actor, address and hash", () => {
  open();
  screen.getByRole("heading", { level: 1, name: "Contract SD-7KQ4MN" });
  screen.getByText("Waiting for signatures.");
  for (const name of ["Evidence", "Parties", "Files", "Details"]) screen.getByRole("heading", { level: 2, name });
  screen.getByText(/signed by drawing .* as “Electra”/);
  screen.getByText("not signed yet");
  screen.getByText(/3 pages, 31 kB/);
  const events = screen.getAllByRole("group");
  expect(events).toHaveLength(2);
  const [, second] = events;
  for (const text of ["2026-11-21 13:00:00", "Signed", "artist", "203.0.113.7", "A browser", hash("b"), hash("2")])
    expect(second?.textContent).toContain(text);
  expect(screen.getByRole("link", { name: "View booking" }).getAttribute("href")).toBe("/admin/bookings/b1");
});

test("offers only the actions that the server allows", async () => {
  server.sendAgain.mockResolvedValue({ sent_to: ["promoter"] });
  const { unmount } = open();
  press("Mark Signed");
  expect(server.openMarkSigned).toHaveBeenCalledWith({
    id: "c1",
    number: "SD-7KQ4MN",
    artist: "Electric Dreams",
    promoter: "Hannah Whitt",
  });
  press("Send again");
  fireEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Send again" }));
  await waitFor(() => expect(server.sendAgain).toHaveBeenCalledWith({ id: "c1" }));
  unmount();
  open({ can: { mark_signed: false, send_again: false, open_paper: true } });
  screen.getByRole("button", { name: /View signed document/ });
  expect(screen.queryByRole("button", { name: /Mark Signed|Send again/ })).toBeNull();
});

const attestation = {
  reason: "Signed on paper at the venue.",
  by: "Ines Halvorsen",
  at: "2026-11-22T12:00:00.000Z",
  paper: { sha256: hash("c"), media_type: "application/pdf" as const, bytes: 1_000 },
  objection_end: "2026-11-25T12:00:00.000Z",
  objections: [
    {
      side: "promoter" as const,
      reason: "I never signed.",
      at: "2026-11-22T13:00:00.000Z",
      decision: null,
      decided_at: null,
      decision_reason: null,
    },
  ],
};
test.each([
  ["an objection", { status: "signed", attestation }, "A party objects to what was attested."],
  [
    "evidence that does not hold",
    { evidence: { fault: "Entry 2 was changed.", events: [] } },
    "The evidence is not valid.",
  ],
  [
    "a decline",
    { status: "declined", declined: { side: "artist", at: "2026-11-22T12:00:00.000Z", reason: "No." } },
    "Declined by the artist.",
  ],
  ["a canceled booking", { booking: { ...contract.booking, status: "canceled" } }, "Void."],
  ["a seal that is still made", { status: "signed", seal: { ...contract.seal, state: "waiting" } }, "Signed."],
  [
    "a sealed copy",
    { status: "signed", seal: { state: "sealed", at: "2026-11-22T12:00:00.000Z", certificate: "8C:1E" } },
    "Signed and sealed.",
  ],
  [
    "a draft",
    {
      status: "draft",
      sent_at: null,
      parties: [],
      files: [],
      evidence: { fault: null, events: [] },
      booking: { ...contract.booking, status: "initiated" },
    },
    "Not sent yet.",
  ],
  [
    "a contract that is sent next",
    { status: "draft", booking: { ...contract.booking, status: "deposit_paid" } },
    "Not sent yet.",
  ],
  [
    "a contract that could not be sent",
    { status: "draft", sending: { attempts: 2, next_try_at: null, error: "No font." } },
    "Could not be sent yet.",
  ],
] as const)("shows %s first", (_what, given, title) => {
  open(given as Partial<ContractWithEvidence>);
  expect(within(screen.getByRole("region", { name: "Now" })).getByText(title)).toBeTruthy();
});

test("distinguishes a missing contract, a loading one and a failed request", () => {
  response = { error: apiError("PGRST116", "Contract not found", 404), isFetching: false };
  const missing = renderInMantine(<AdminContractPage params={params} />);
  screen.getByRole("heading", { level: 1, name: "Contract not found" });
  missing.unmount();
  response = { error: null, isFetching: true };
  const loading = renderInMantine(<AdminContractPage params={params} />);
  screen.getByText("Loading the contract");
  loading.unmount();
  response = { error: apiError("internal", "Something went wrong.", 500), isFetching: false };
  renderInMantine(<AdminContractPage params={params} />);
  press("Retry");
  expect(server.refetch).toHaveBeenCalledOnce();
});
