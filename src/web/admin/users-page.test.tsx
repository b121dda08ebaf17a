import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { renderInMantine } from "../dashboard/test-providers.tsx";
import type { UserListItem } from "../lib/api/users.ts";
import UsersPage from "./users-page.tsx";

const server = vi.hoisted(() => ({ items: [] as object[] }));
vi.mock("../lib/api/users.ts", () => ({
  useChangeRole: () => ({ mutateAsync: vi.fn() }),
  useUsers: () => ({
    data: { items: server.items, total: server.items.length, capped: false },
    error: null,
    isFetching: false,
  }),
  useAdminRequests: () => ({ data: { items: [] } }),
}));
vi.mock("../lib/api/current-user.ts", () => ({ useCurrentUser: () => ({ phase: "loading" }) }));
vi.mock("./user-requests.tsx", () => ({ AdminRequests: () => null, ProfileClaims: () => null }));
vi.mock("../dashboard/use-hosted-auth.ts", () => ({ useHostedAuth: () => false }));

const user: UserListItem = {
  userId: "8b102bd8-0000-4000-8000-000000000001",
  name: "Henry Osborne",
  email: "henry.osborne@osborne-vineyards.test",
  role: "promoter",
  emailVerified: true,
  hasSecondFactor: false,
  suspended: false,
  suspendedReason: null,
  createdAt: "2025-12-03T12:00:00Z",
  lastSeenAt: null,
};
beforeEach(() => {
  server.items = [user];
});

test("opens the details of a user by the name, and closes them", async () => {
  renderInMantine(<UsersPage />);
  const row = within(screen.getByRole("table", { name: /Users/ }));
  await userEvent.click(row.getByRole("link", { name: /Henry Osborne/ }));
  const dialog = within(await screen.findByRole("dialog", { name: "Henry Osborne" }));
  expect(dialog.getByText(user.email)).toBeTruthy();
  expect(dialog.getByText(user.userId)).toBeTruthy();
  expect(dialog.getByRole("link", { name: "View bookings" }).getAttribute("href")).toBe(
    "/admin/bookings?search=Henry+Osborne",
  );
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("shows in each row whether two-factor sign-in is on, and why a user is suspended", () => {
  const admin = { ...user, userId: "8b102bd8-0000-4000-8000-000000000002", name: "Ada Bell", role: "admin" } as const;
  server.items = [
    { ...user, suspended: true, suspendedReason: "Chargebacks" },
    { ...admin, hasSecondFactor: true },
  ];
  renderInMantine(<UsersPage />);
  const rowOf = (name: RegExp) => screen.getByRole("row", { name }).textContent;
  expect(rowOf(/Henry Osborne/)).toContain("Two-factor off, Chargebacks");
  expect(rowOf(/Ada Bell/)).toContain("Two-factor on");
});

test("marks the order by the day of joining, and shows a cut email under the pointer", () => {
  renderInMantine(<UsersPage />);
  expect(screen.getByRole("columnheader", { name: /Joined/ }).getAttribute("aria-sort")).toBe("descending");
  expect(screen.getByTitle(user.email)).toBeTruthy();
});

test.each(["table", "list"])("asks before it changes the role that was selected in a %s", async (form) => {
  renderInMantine(<UsersPage />);
  const role = within(screen.getByRole(form)).getByRole<HTMLSelectElement>("combobox", {
    name: "Permissions of Henry Osborne",
  });
  expect([...role.options].map((one) => one.value)).toEqual(["admin", "artist", "promoter"]);
  await userEvent.selectOptions(role, "artist");
  const dialog = await screen.findByRole("dialog", { name: "Change User Role" });
  expect(dialog.textContent).toContain("from promoter to artist");
  expect(role.value).toBe("promoter");
});

test("states what happens to the profile of an artist before the role is changed", async () => {
  server.items = [{ ...user, role: "artist" }];
  renderInMantine(<UsersPage />);
  const role = within(screen.getByRole("table")).getByRole("combobox", { name: "Permissions of Henry Osborne" });
  await userEvent.selectOptions(role, "promoter");
  const dialog = await screen.findByRole("dialog", { name: "Change User Role" });
  expect(dialog.textContent).toContain("cannot be found or booked until the user is an artist again");
});

test("asks about a role that was reached by arrow keys only after Enter", async () => {
  renderInMantine(<UsersPage />);
  const role = within(screen.getByRole("table")).getByRole<HTMLSelectElement>("combobox", {
    name: "Permissions of Henry Osborne",
  });
  for (const value of ["artist", "admin"]) {
    fireEvent.keyDown(role, { key: "ArrowUp" });
    fireEvent.change(role, { target: { value } });
    expect(role.value).toBe(value);
  }
  expect(screen.queryByRole("dialog")).toBeNull();
  fireEvent.keyDown(role, { key: "Enter" });
  expect((await screen.findByRole("dialog", { name: "Change User Role" })).textContent).toContain("to admin");
  expect(role.value).toBe("promoter");
});
