import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { minuteMs, hourMs } from "#platform/time/durations.rules.ts";
import { apiError, press, renderInMantine, type } from "../test-providers.tsx";
import { DirectConnections } from "./direct-connections.tsx";
import type { CalendarConnection } from "./use-connections.ts";

const connection = (given: Partial<CalendarConnection>): CalendarConnection => ({
  id: "8f8f0f0e-0000-4000-8000-000000000001",
  server_url: "https://dav.example.org/",
  server_host: "dav.example.org",
  username: "ada",
  status: "ok",
  is_waiting: false,
  show_count: 3,
  last_success_at: new Date(Date.now() - 6 * minuteMs).toISOString(),
  last_written_at: new Date(Date.now() - 2 * hourMs).toISOString(),
  failing_since: null,
  message: null,
  failed_field: null,
  removed_until: null,
  ...given,
});
const wrong = connection({
  status: "failing",
  last_success_at: null,
  last_written_at: null,
  failing_since: "2027-06-01T12:00:00Z",
  message: "The server does not accept the user name and password.",
  failed_field: "password",
});

let items: CalendarConnection[];
const add = vi.fn();
const retry = vi.fn();
const remove = vi.fn();
const outcome = vi.fn();
const { reauthenticate } = vi.hoisted(() => ({ reauthenticate: vi.fn() }));
vi.mock("../../lib/api/account.ts", () => ({ reauthenticate }));
vi.mock("../../lib/auth/session.ts", () => ({ authClient: vi.fn() }));
vi.mock("../../lib/api/current-user.ts", () => ({
  useCurrentUser: () => ({ phase: "known", me: { hasPassword: true } }),
}));
vi.mock("./use-connections.ts", () => ({
  useCalendarConnections: () => ({ data: { items }, error: null, isFetching: false, refetch: vi.fn() }),
  useAddConnection: () => ({ isPending: false, mutateAsync: add }),
  useRetryConnection: () => ({ isPending: false, mutateAsync: retry }),
  useRemoveConnection: () => ({ isPending: false, mutateAsync: remove }),
  useConnectionOutcome: () => outcome,
}));

const needed = () => apiError("reauthentication_needed", "Enter your password again to continue.");

beforeEach(() => {
  for (const call of [add, retry, remove, outcome]) call.mockReset().mockResolvedValue(connection({}));
});

const openItem = async (name: string) => {
  press("Actions: dav.example.org");
  fireEvent.click(await screen.findByRole("menuitem", { name }));
};

async function connectWith(password: string) {
  items = [];
  renderInMantine(<DirectConnections things="shows" />);
  press("Connect");
  await screen.findByLabelText("CalDAV server");
  type("CalDAV server", "https://dav.example.org/");
  type("User name", "ada");
  type("App password", password);
  fireEvent.submit(screen.getByLabelText("App password"));
}

test("shows a failure at its field, retains the input, and corrects the same connection", async () => {
  outcome.mockResolvedValueOnce(wrong);
  await connectWith(" wrong ");
  await screen.findByText(String(wrong.message));
  const typed = { server_url: "https://dav.example.org/", username: "ada" };
  expect(add).toHaveBeenCalledWith({ ...typed, password: " wrong " });
  expect(screen.getByLabelText("App password").getAttribute("aria-invalid")).toBe("true");
  expect((screen.getByLabelText("User name") as HTMLInputElement).value).toBe("ada");
  type("App password", "right");
  fireEvent.submit(screen.getByLabelText("App password"));
  await waitFor(() => expect(retry).toHaveBeenCalledWith({ id: wrong.id, ...typed, password: "right" }));
  await waitFor(() => expect(screen.queryByLabelText("App password")).toBeNull());
  expect(add).toHaveBeenCalledTimes(1);
});

test("requests the user's own password in the form if the server requires it, and retains the input", async () => {
  add.mockRejectedValueOnce(needed()).mockRejectedValueOnce(needed());
  await connectWith("right");
  await screen.findByLabelText("Your own password");
  type("Your own password", "a quiet lamp backstage");
  fireEvent.submit(screen.getByLabelText("App password"));
  await waitFor(() => expect(screen.queryByLabelText("App password")).toBeNull());
  expect(reauthenticate).toHaveBeenCalledExactlyOnceWith({ password: "a quiet lamp backstage" });
  expect(add).toHaveBeenLastCalledWith({
    server_url: "https://dav.example.org/",
    username: "ada",
    password: "right",
  });
});

test("offers Fix login after a failure, and only the password after a first success", async () => {
  items = [{ ...wrong, last_success_at: "2027-05-01T12:00:00Z" }];
  renderInMantine(<DirectConnections things="shows" />);
  expect(screen.getByText(/^Failing since /)).toBeTruthy();
  press("Fix login");
  await screen.findByLabelText("App password");
  expect(screen.queryByLabelText("CalDAV server")).toBeNull();
});

test("explains what a removal deletes, and what remains if the server cannot be reached", async () => {
  items = [connection({})];
  const { unmount } = renderInMantine(<DirectConnections things="shows" />);
  expect(screen.getByText("OK, checked 6 minutes ago")).toBeTruthy();
  expect(screen.getByText("Last written 2 hours ago")).toBeTruthy();
  await openItem("Remove…");
  expect((await screen.findByText(/is deleted from the server/)).textContent).toContain("with everything in it");
  press("Remove connection");
  await waitFor(() => expect(remove).toHaveBeenCalledWith({ id: items[0]?.id }));
  unmount();

  items = [
    connection({
      status: "removal_failed",
      failing_since: "2027-06-01T12:00:00Z",
      message: "The calendar's server cannot be reached.",
      removed_until: "2027-06-02T12:00:00Z",
    }),
  ];
  renderInMantine(<DirectConnections things="shows" />);
  expect(screen.getByText(/We try until .*\. After that,.* the calendar remains on the server/)).toBeTruthy();
  await openItem("Remove without the server…");
  expect(await screen.findByText(/stays on the server: delete it there yourself/)).toBeTruthy();
});
