import { fireEvent, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { UserMenu } from "../../admin/user-actions.tsx";
import type { UserListItem } from "../../lib/api/users.ts";
import { apiError, press, renderInMantine, type } from "../test-providers.tsx";
import { ReauthenticationFields, useReauthentication } from "./reauthentication-fields.tsx";

let me = { email: "ada@example.test", hasPassword: true, hosted: false };
vi.mock("../../lib/api/current-user.ts", () => ({ useCurrentUser: () => ({ phase: "known", me }) }));
vi.mock("../../lib/api/users.ts", () => ({}));
vi.mock("../../lib/auth/session.ts", () => ({ authClient: vi.fn() }));

const byCode = () => screen.queryByRole("button", { name: "Use a code from an email instead" });
const someone = { userId: "1", name: "Bo", email: "bo@example.test", hasSecondFactor: true, suspended: false };
const show = (hosted: boolean) => {
  me = { ...me, hosted };
  renderInMantine(
    <>
      <ReauthenticationFields name="reauthentication" onChange={() => undefined} />
      <UserMenu user={someone as UserListItem} ownId="2" />
    </>,
  );
};
async function openMenu(): Promise<(string | null)[]> {
  fireEvent.click(screen.getByRole("button", { name: "Actions: Bo" }));
  const menu = within(await screen.findByRole("menu"));
  return menu.getAllByRole("menuitem").map((one) => one.textContent);
}

test("offers an emailed code and the reset of a second factor if the auth service is ours", async () => {
  show(false);
  expect(screen.getByLabelText("Your own password")).toBeTruthy();
  expect(byCode()).toBeTruthy();
  expect(await openMenu()).toContain("Reset two-factor…");
});

test("offers neither with a hosted auth service, which would reject them", async () => {
  show(true);
  expect(screen.getByLabelText("Your own password")).toBeTruthy();
  expect(byCode()).toBeNull();
  const items = await openMenu();
  expect(items).not.toContain("Reset two-factor…");
  expect(items).toContain("Suspend…");
});

function Form() {
  const { fields, run } = useReauthentication({ name: "proof", hint: "" });
  const work = ({ password }: { password?: string }) =>
    Promise.reject(apiError(password ? "reauthentication_not_valid" : "reauthentication_needed", "Wrong password."));
  return (
    <>
      {fields}
      <button onClick={() => void run(work)}>Go</button>
    </>
  );
}

test("returns to a wrong password, and removes its message when a code is used instead", async () => {
  me = { ...me, hosted: false };
  renderInMantine(<Form />);
  press("Go");
  await screen.findByLabelText("Your own password");
  type("Your own password", "wrong");
  screen.getByRole("button", { name: "Go" }).focus();
  press("Go");
  await screen.findByText("Wrong password.");
  expect(document.activeElement).toBe(screen.getByLabelText("Your own password"));
  press("Use a code from an email instead");
  expect(screen.queryByText("Wrong password.")).toBeNull();
});
