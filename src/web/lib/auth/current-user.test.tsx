import { render, screen, waitFor } from "@testing-library/react";
import { QueryClientProvider, useMutation, useQuery } from "@tanstack/react-query";
import { beforeEach, expect, test, vi } from "vitest";
import { useCurrentUser } from "../api/current-user.ts";
import { orpc, queryClient } from "../api/query.ts";
import { closeToast, toastsNow } from "../toasts.ts";

const server = vi.hoisted(() => ({ me: vi.fn(), bookings: vi.fn(), decide: vi.fn(), drop: vi.fn() }));
vi.mock("../api/browser-api.ts", () => ({
  browserApi: { users: { me: server.me }, bookings: { adminList: server.bookings } },
}));
vi.mock("./session.ts", () => ({
  useSession: () => ({ phase: "signed-in", session: { user: { id: "1", email: "ines@example.org" } } }),
  dropSession: server.drop,
  isLeaving: () => leaving,
  retrySession: vi.fn(),
}));

let leaving = false;

const apiError = (status: number, code: string) =>
  Object.assign(new Error(code), { status, code, data: { code, message: `refused: ${code}` } });
const ines = { id: "1", name: "Ines", email: "ines@example.org", role: "admin" };

beforeEach(() => {
  vi.resetAllMocks();
  queryClient.clear();
  leaving = false;
  for (const toast of toastsNow()) closeToast(toast.id);
  server.drop.mockResolvedValue(undefined);
});

function Page() {
  const currentUser = useCurrentUser();
  const list = useQuery({ queryKey: ["list"], queryFn: () => server.bookings() as Promise<string> });
  const act = useMutation({ mutationFn: () => server.decide() as Promise<string> });
  return (
    <>
      <h1>{currentUser.phase === "known" ? currentUser.me.role : currentUser.phase}</h1>
      <button type="button" onClick={() => void list.refetch()}>
        Read
      </button>
      <button type="button" onClick={() => act.mutate()}>
        Act
      </button>
    </>
  );
}

const show = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <Page />
    </QueryClientProvider>,
  );
const roleIs = (role: string) => screen.findByRole("heading", { name: role });

test("a refused reading asks who the person is now: a changed role follows at the next call", async () => {
  server.me.mockResolvedValueOnce(ines).mockResolvedValueOnce({ ...ines, role: "artist" });
  server.bookings.mockResolvedValueOnce("rows").mockRejectedValueOnce(apiError(403, "forbidden"));
  show();
  await roleIs("admin");
  screen.getByRole("button", { name: "Read" }).click();
  await roleIs("artist");
  expect(server.me).toHaveBeenCalledTimes(2);
});

test("a refused action does so too", async () => {
  server.me.mockResolvedValueOnce(ines).mockResolvedValueOnce({ ...ines, role: "promoter" });
  server.bookings.mockResolvedValue("rows");
  server.decide.mockRejectedValueOnce(apiError(403, "forbidden"));
  show();
  await roleIs("admin");
  screen.getByRole("button", { name: "Act" }).click();
  await roleIs("promoter");
  expect(server.me).toHaveBeenCalledTimes(2);
});

test("an action that wants reauthentication, or fails otherwise, asks nothing", async () => {
  server.me.mockResolvedValue(ines);
  server.bookings.mockResolvedValue("rows");
  show();
  await roleIs("admin");
  for (const refused of [
    apiError(403, "reauthentication_needed"),
    apiError(403, "reauthentication_not_valid"),
    apiError(409, "conflict"),
    apiError(500, "internal"),
  ]) {
    server.decide.mockRejectedValueOnce(refused);
    screen.getByRole("button", { name: "Act" }).click();
  }
  await waitFor(() => expect(server.decide).toHaveBeenCalledTimes(4));
  expect(server.me).toHaveBeenCalledOnce();
});

test("a role that cannot be read is logged, and counts as promoter", async () => {
  const warning = vi.mocked(console.warn).mockReturnValue();
  server.me.mockRejectedValue(apiError(500, "internal"));
  server.bookings.mockResolvedValue("rows");
  show();
  await roleIs("promoter");
  expect(warning).toHaveBeenCalledExactlyOnceWith("The role could not be read.", "refused: internal");
  warning.mockClear();
  expect(server.drop).not.toHaveBeenCalled();
});

test("a suspended person's tab leaves and says why, once", async () => {
  server.me.mockResolvedValueOnce(ines).mockRejectedValue(apiError(401, "user_banned"));
  server.bookings.mockResolvedValueOnce("rows").mockRejectedValue(apiError(401, "user_banned"));
  show();
  await roleIs("admin");
  screen.getByRole("button", { name: "Read" }).click();
  await waitFor(() => expect(server.drop).toHaveBeenCalled());
  expect(toastsNow().map((toast) => toast.title)).toEqual(["Your account is suspended"]);
  await waitFor(() => expect(screen.queryByRole("heading", { name: "admin" })).toBeNull());
});

test("a session that was ended elsewhere leaves with its own words", async () => {
  server.me.mockRejectedValue(apiError(401, "session_not_found"));
  server.bookings.mockResolvedValue("rows");
  show();
  await waitFor(() => expect(server.drop).toHaveBeenCalled());
  expect(toastsNow().map((toast) => toast.title)).toEqual(["You have been signed out"]);
});

test("who signs out on purpose is not notified of it", async () => {
  leaving = true;
  server.me.mockRejectedValue(apiError(401, "session_not_found"));
  server.bookings.mockResolvedValue("rows");
  show();
  await waitFor(() => expect(server.me).toHaveBeenCalled());
  await roleIs("loading");
  expect(server.drop).not.toHaveBeenCalled();
  expect(toastsNow()).toEqual([]);
});

test("what was kept of somebody else is not shown to who signs in next", async () => {
  queryClient.setQueryData(orpc.users.me.queryKey(), { ...ines, id: "2", role: "artist" } as never);
  server.me.mockResolvedValue(ines);
  server.bookings.mockResolvedValue("rows");
  show();
  await roleIs("admin");
  expect(server.me).toHaveBeenCalledOnce();
});
