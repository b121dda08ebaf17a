import { QueryClientProvider, useMutation, useQuery } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { useCurrentUser } from "../api/current-user.ts";
import { orpc, queryClient } from "../api/query.ts";
import { currentToasts } from "../toasts.ts";

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
  server.drop.mockResolvedValue(undefined);
});

function Page() {
  const currentUser = useCurrentUser();
  const list = useQuery({ queryKey: ["list"], queryFn: () => server.bookings() as Promise<string> });
  const act = useMutation({ mutationFn: () => server.decide() as Promise<string> });
  return (
    <>
      <h1>{currentUser.phase === "known" ? currentUser.me.role : currentUser.phase}</h1>
      {currentUser.phase === "loading" && currentUser.isSuspended ? <p>suspended</p> : null}
      {currentUser.phase === "known" && currentUser.me.retryRole ? (
        <button type="button" onClick={currentUser.me.retryRole}>
          Retry
        </button>
      ) : null}
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

test("reloads the user after a forbidden query, and follows a changed role", async () => {
  server.me.mockResolvedValueOnce(ines).mockResolvedValueOnce({ ...ines, role: "artist" });
  server.bookings.mockResolvedValueOnce("rows").mockRejectedValueOnce(apiError(403, "forbidden"));
  show();
  await roleIs("admin");
  screen.getByRole("button", { name: "Read" }).click();
  await roleIs("artist");
  expect(server.me).toHaveBeenCalledTimes(2);
});

test("reloads the user after a forbidden action", async () => {
  server.me.mockResolvedValueOnce(ines).mockResolvedValueOnce({ ...ines, role: "promoter" });
  server.bookings.mockResolvedValue("rows");
  server.decide.mockRejectedValueOnce(apiError(403, "forbidden"));
  show();
  await roleIs("admin");
  screen.getByRole("button", { name: "Act" }).click();
  await roleIs("promoter");
  expect(server.me).toHaveBeenCalledTimes(2);
});

test("does not reload the user if reauthentication is required, or after other errors", async () => {
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

test("logs a role that failed to load, counts it as promoter, and loads it again only on request", async () => {
  const warning = vi.mocked(console.warn).mockReturnValue();
  server.me.mockRejectedValue(apiError(500, "internal"));
  server.bookings.mockResolvedValue("rows");
  show();
  await roleIs("promoter");
  expect(warning).toHaveBeenCalledExactlyOnceWith("The role could not be read.", "refused: internal");
  warning.mockClear();
  expect(server.drop).not.toHaveBeenCalled();
  // A list of promoters answers 403 to this admin. Reading the role again each time would never end.
  server.bookings.mockRejectedValue(apiError(403, "forbidden"));
  screen.getByRole("button", { name: "Read" }).click();
  await waitFor(() => expect(queryClient.getQueryState(["list"])?.status).toBe("error"));
  expect(server.me).toHaveBeenCalledOnce();
  server.me.mockResolvedValue(ines);
  screen.getByRole("button", { name: "Retry" }).click();
  await roleIs("admin");
});

test("signs out a suspended user's tab and explains it once", async () => {
  server.me.mockResolvedValueOnce(ines).mockRejectedValue(apiError(401, "user_banned"));
  server.bookings.mockResolvedValueOnce("rows").mockRejectedValue(apiError(401, "user_banned"));
  show();
  await roleIs("admin");
  screen.getByRole("button", { name: "Read" }).click();
  expect(await screen.findByText("suspended")).toBeTruthy();
  await waitFor(() => expect(server.drop).toHaveBeenCalled());
  expect(currentToasts().map((toast) => toast.title)).toEqual(["Your account is suspended"]);
  await waitFor(() => expect(screen.queryByRole("heading", { name: "admin" })).toBeNull());
});

test("explains a session that ended elsewhere with its own message", async () => {
  server.me.mockRejectedValue(apiError(401, "session_not_found"));
  server.bookings.mockResolvedValue("rows");
  show();
  await waitFor(() => expect(server.drop).toHaveBeenCalled());
  expect(currentToasts().map((toast) => toast.title)).toEqual(["You have been signed out"]);
});

test("shows no message for the user's own sign-out", async () => {
  leaving = true;
  server.me.mockRejectedValue(apiError(401, "session_not_found"));
  server.bookings.mockResolvedValue("rows");
  show();
  await waitFor(() => expect(server.me).toHaveBeenCalled());
  await roleIs("loading");
  expect(server.drop).not.toHaveBeenCalled();
  expect(currentToasts()).toEqual([]);
});

test("does not show cached data of another user after a sign-in", async () => {
  queryClient.setQueryData(orpc.users.me.queryKey(), { ...ines, id: "2", role: "artist" } as never);
  server.me.mockResolvedValue(ines);
  server.bookings.mockResolvedValue("rows");
  show();
  await roleIs("admin");
  expect(server.me).toHaveBeenCalledOnce();
});
