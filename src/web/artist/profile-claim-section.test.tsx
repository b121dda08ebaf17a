import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { renderInMantine } from "../dashboard/test-providers.tsx";
import type { OwnProfileClaim } from "../lib/api/profile-claims.ts";
import { ProfileClaimSection } from "./profile-claim-section.tsx";

const nova = { artistId: "a1", name: "Nova Kline", slug: "nova-kline", genre: "jazz" };
const claim: OwnProfileClaim = {
  id: "c1",
  artistId: "a1",
  artistName: "Nova Kline",
  evidence: "See our own site.",
  createdAt: "2026-11-20T12:00:00.000Z",
  decidedAt: null,
  granted: null,
  note: null,
};
let claimable: (typeof nova)[] = [];
let mine: OwnProfileClaim[] = [];
const send = vi.fn();
vi.mock("../lib/api/profile-claims.ts", () => ({
  useClaimableArtists: () => ({ data: { items: claimable }, error: null }),
  useOwnProfileClaims: () => ({ data: { items: mine }, error: null }),
  useSendProfileClaim: () => ({ isPending: false, mutateAsync: send }),
}));

beforeEach(() => {
  [claimable, mine] = [[nova], []];
  send.mockReset();
});

function show() {
  return renderInMantine(<ProfileClaimSection />);
}

test("renders nothing if there is nothing to claim and no claim", () => {
  claimable = [];
  expect(show().container.textContent).toBe("");
});

test("sends the evidence trimmed for the artist of the same name", async () => {
  send.mockResolvedValue(claim);
  show();
  expect(screen.getByRole("link", { name: "Nova Kline" }).getAttribute("href")).toBe("/artist/nova-kline");
  fireEvent.change(screen.getByLabelText("Evidence"), { target: { value: "  Ask the Waterworks about us " } });
  fireEvent.click(screen.getByRole("button", { name: "Send claim" }));
  await waitFor(() => expect(send).toHaveBeenCalledWith({ artistId: "a1", evidence: "Ask the Waterworks about us" }));
});

test("shows an error at the field and retains the text", async () => {
  const message = "Confirm your email address first.";
  send.mockRejectedValue(Object.assign(new Error(message), { status: 403, code: "forbidden", data: { message } }));
  show();
  fireEvent.change(screen.getByLabelText("Evidence"), { target: { value: "Ask the Waterworks" } });
  fireEvent.click(screen.getByRole("button", { name: "Send claim" }));
  expect(await screen.findByText(message)).toBeTruthy();
  expect(screen.getByDisplayValue("Ask the Waterworks")).toBeTruthy();
});

test("does not offer an artist with a pending claim again, but offers a declined one with the reason", () => {
  mine = [claim];
  const first = show();
  expect(screen.queryByRole("button")).toBeNull();
  expect(screen.getByText("Waiting")).toBeTruthy();
  first.unmount();
  mine = [{ ...claim, decidedAt: "2026-11-21T12:00:00.000Z", granted: false, note: "The site names somebody else." }];
  show();
  expect(screen.getByRole("button", { name: "Send claim" })).toBeTruthy();
  expect(screen.getByText("Declined")).toBeTruthy();
  expect(screen.getByText("The site names somebody else.")).toBeTruthy();
});
