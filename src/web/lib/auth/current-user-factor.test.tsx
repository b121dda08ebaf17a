import { act, render, screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { useCurrentUser } from "../api/current-user.ts";
import { orpc, queryClient } from "../api/query.ts";

const server = vi.hoisted(() => ({ me: vi.fn(), renew: vi.fn() }));
let factors: { status: string }[] = [];
vi.mock("../api/browser-api.ts", () => ({ browserApi: { users: { me: server.me } } }));
vi.mock("./session.ts", () => ({
  useSession: () => ({ phase: "signed-in", session: { user: { id: "1", email: "ines@example.org", factors } } }),
  renewSession: server.renew,
  dropSession: vi.fn(),
  retrySession: vi.fn(),
}));

const ines = { id: "1", name: "Ines", email: "ines@example.org", role: "admin" };
const needsSecondFactor = Object.assign(new Error("A code is needed."), {
  status: 401,
  code: "insufficient_aal",
  data: { code: "insufficient_aal", message: "A code is needed." },
});

beforeEach(() => {
  vi.resetAllMocks();
  queryClient.clear();
  factors = [];
});

function Page() {
  const currentUser = useCurrentUser();
  return <h1>{currentUser.phase === "known" ? currentUser.me.role : currentUser.phase}</h1>;
}
const phaseIs = (phase: string) => screen.findByRole("heading", { name: phase });

test("leaves the page of a known user, and renews the session before it requires the code", async () => {
  server.me.mockResolvedValueOnce(ines).mockRejectedValue(needsSecondFactor);
  const { rerender } = render(<Page />);
  await phaseIs("admin");
  await act(() => queryClient.invalidateQueries({ queryKey: orpc.users.me.key() }));
  await phaseIs("loading");
  expect(server.renew).toHaveBeenCalledOnce();
  factors = [{ status: "verified" }];
  rerender(<Page />);
  await phaseIs("code-needed");
  expect(server.renew).toHaveBeenCalledOnce();
});

test("requires the code without a renewal if the factor was known at sign-in", async () => {
  factors = [{ status: "unverified" }, { status: "verified" }];
  server.me.mockRejectedValue(needsSecondFactor);
  render(<Page />);
  await phaseIs("code-needed");
  expect(server.renew).not.toHaveBeenCalled();
});
