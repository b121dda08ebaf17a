import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { press, apiError, renderInMantine, type } from "../dashboard/test-providers.tsx";
import type { PendingProfileClaim } from "../lib/api/profile-claims.ts";
import type { AdminRequest } from "../lib/api/users.ts";
import { currentToasts } from "../lib/toasts.ts";
import { ProfileClaims, AdminRequests } from "./user-requests.tsx";

type Query = { data?: { items: unknown[]; total?: number } | undefined; error: Error | null; refetch(): Promise<void> };
const server = vi.hoisted(() => ({
  decideRequest: vi.fn(),
  decideProfileClaim: vi.fn(),
  refetch: vi.fn(),
  reauthenticate: vi.fn(),
}));
vi.mock("../lib/api/account.ts", () => ({ reauthenticate: server.reauthenticate }));
let response: Query;
vi.mock("../lib/api/users.ts", () => ({
  useAdminRequests: () => response,
  useDecideAdminRequest: () => ({ isPending: false, mutateAsync: server.decideRequest }),
}));
vi.mock("../lib/api/profile-claims.ts", () => ({
  usePendingProfileClaims: () => response,
  useDecideProfileClaim: () => ({ isPending: false, mutateAsync: server.decideProfileClaim }),
}));
vi.mock("../lib/auth/session.ts", () => ({ authClient: vi.fn() }));
vi.mock("../lib/api/current-user.ts", () => ({
  useCurrentUser: () => ({ phase: "known", me: { hasPassword: true } }),
}));

const request: AdminRequest = {
  userId: "u1",
  name: "Mara Lindqvist",
  email: "mara@example.org",
  emailVerified: true,
  createdAt: "2026-11-20T12:00:00.000Z",
};
const claim: PendingProfileClaim = {
  id: "c1",
  artistId: "a1",
  artistName: "Nova Kline",
  evidence: "Ask the Waterworks about us.",
  createdAt: "2026-11-20T12:00:00.000Z",
  decidedAt: null,
  granted: null,
  note: null,
  userId: "u1",
  userName: "Nova Kline",
  userEmail: "nova@example.org",
  emailVerified: false,
};

beforeEach(() => {
  vi.resetAllMocks();
  response = { data: undefined, error: null, refetch: server.refetch };
});

const sections = [
  { what: "Admin requests", Section: AdminRequests, row: request },
  { what: "Artist claims", Section: ProfileClaims, row: claim },
];

for (const { what, Section, row } of sections) {
  test(`${what}: renders nothing before loading and while no request is open`, () => {
    expect(renderInMantine(<Section />).container.textContent).toBe("");
    response = { ...response, data: { items: [] } };
    expect(renderInMantine(<Section />).container.textContent).toBe("");
  });

  test(`${what}: shows an error with Retry if loading fails, never an empty page`, () => {
    response = { ...response, error: apiError("internal", "Something went wrong.", 500) };
    renderInMantine(<Section />);
    expect(screen.getByRole("alert").textContent).toContain(`${what} could not be loaded. Something went wrong.`);
    press("Retry");
    expect(server.refetch).toHaveBeenCalledOnce();
  });

  test(`${what}: states how many it leaves out`, () => {
    response = { ...response, data: { items: [row], total: 3 } };
    const { unmount } = renderInMantine(<Section />);
    expect(screen.getByText(/^These are the oldest 1 of 3\. /)).toBeTruthy();
    unmount();
    response = { ...response, data: { items: [row], total: 1 } };
    renderInMantine(<Section />);
    expect(screen.queryByText(/oldest/)).toBeNull();
  });

  test(`${what}: retains the list if a later refresh fails`, () => {
    response = { ...response, data: { items: [row] }, error: apiError("internal", "Something went wrong.", 500) };
    renderInMantine(<Section />);
    expect(screen.getByRole("heading", { name: what })).toBeTruthy();
    expect(screen.queryByRole("alert")).toBeNull();
  });
}

const lastToast = () => currentToasts().at(-1);

test("shows a request with its user and verification, and grants it", async () => {
  response = { ...response, data: { items: [request] } };
  server.decideRequest.mockResolvedValue({});
  renderInMantine(<AdminRequests />);
  expect(screen.getByText(/mara@example\.org, verified, asked/)).toBeTruthy();
  press("Make admin: Mara Lindqvist");
  await waitFor(() => expect(lastToast()).toMatchObject({ tone: "done", title: "Request granted" }));
  expect(server.decideRequest).toHaveBeenCalledWith({ userId: "u1", granted: true });
});

test("sends one answer to a request at a time", async () => {
  response = { ...response, data: { items: [request] } };
  const sent = Promise.withResolvers<object>();
  server.decideRequest.mockReturnValueOnce(sent.promise);
  renderInMantine(<AdminRequests />);
  press("Make admin: Mara Lindqvist");
  press("Decline the request of Mara Lindqvist");
  sent.resolve({});
  await waitFor(() => expect(lastToast()).toMatchObject({ title: "Request granted" }));
  expect(server.decideRequest).toHaveBeenCalledExactlyOnceWith({ userId: "u1", granted: true });
});

test("requests the admin's own password for a grant if the server requires reauthentication", async () => {
  response = { ...response, data: { items: [request] } };
  server.decideRequest
    .mockRejectedValueOnce(apiError("reauthentication_needed", "Enter your password again to continue."))
    .mockResolvedValueOnce({});
  renderInMantine(<AdminRequests />);
  press("Make admin: Mara Lindqvist");
  await screen.findByRole("dialog", { name: "Confirm it's you" });
  type("Your own password", "a quiet lamp backstage");
  press("Continue");
  await waitFor(() => expect(lastToast()).toMatchObject({ title: "Request granted" }));
  expect(server.reauthenticate).toHaveBeenCalledWith({ password: "a quiet lamp backstage" });
  expect(server.decideRequest).toHaveBeenLastCalledWith({ userId: "u1", granted: true });
});

test("declines a request without reauthentication, and changes nothing after an error", async () => {
  response = { ...response, data: { items: [request] } };
  server.decideRequest
    .mockRejectedValueOnce(apiError("not_found", "It was decided already.", 404))
    .mockResolvedValue({});
  renderInMantine(<AdminRequests />);
  press("Decline the request of Mara Lindqvist");
  await waitFor(() => expect(lastToast()).toMatchObject({ tone: "error", text: "It was decided already." }));
  press("Decline the request of Mara Lindqvist");
  await waitFor(() => expect(lastToast()).toMatchObject({ title: "Request declined" }));
  expect(server.decideRequest).toHaveBeenLastCalledWith({ userId: "u1", granted: false });
});

test("shows a claim with its evidence and the mailbox's state, and grants it", async () => {
  response = { ...response, data: { items: [claim] } };
  server.decideProfileClaim.mockResolvedValue({});
  renderInMantine(<ProfileClaims />);
  expect(screen.getByText("Ask the Waterworks about us.")).toBeTruthy();
  expect(screen.getByText(/nova@example\.org, not verified/)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Nova Kline" }).getAttribute("href")).toBe("/admin/artists/a1");
  press("Grant the claim of nova@example.org");
  await waitFor(() => expect(lastToast()).toMatchObject({ title: "Claim granted" }));
  expect(server.decideProfileClaim).toHaveBeenCalledWith({ claimId: "c1", granted: true });
});

test("declines a claim with a note for the user, and an error leaves the dialog and the note in place", async () => {
  response = { ...response, data: { items: [claim] } };
  server.decideProfileClaim.mockRejectedValueOnce(apiError("conflict", "This claim was already decided.", 409));
  renderInMantine(<ProfileClaims />);
  press("Decline the claim of nova@example.org");
  const dialog = await screen.findByRole("dialog", { name: "Decline this claim" });
  type("Reason", "  The site names somebody else. ");
  within(dialog).getByRole("button", { name: "Decline" }).click();
  expect((await screen.findByRole("alert")).textContent).toBe("This claim was already decided.");
  expect(screen.getByDisplayValue(/names somebody else/)).toBeTruthy();
  server.decideProfileClaim.mockResolvedValueOnce({});
  within(dialog).getByRole("button", { name: "Decline" }).click();
  await waitFor(() => expect(lastToast()).toMatchObject({ title: "Claim declined" }));
  expect(server.decideProfileClaim).toHaveBeenLastCalledWith({
    claimId: "c1",
    granted: false,
    note: "The site names somebody else.",
  });
});

test("fills the button of only one decision per page", () => {
  response = { ...response, data: { items: [claim] } };
  const { unmount } = renderInMantine(<ProfileClaims />);
  const grant = () => screen.getByRole("button", { name: /Grant the claim/ }).className;
  expect(grant()).not.toContain("line");
  unmount();
  renderInMantine(<ProfileClaims primary={false} />);
  expect(grant()).toContain("line");
});
