import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { UserActions } from "../../admin/user-actions.tsx";
import type { UserListItem } from "../../lib/api/users.ts";
import { renderInMantine } from "../test-providers.tsx";
import { ReauthenticationFields } from "./reauthentication-fields.tsx";

let me = { email: "ada@example.test", hasPassword: true, hosted: false };
vi.mock("../../lib/api/current-user.ts", () => ({ useCurrentUser: () => ({ phase: "known", me }) }));
vi.mock("../../lib/api/users.ts", () => ({}));
vi.mock("../../lib/auth/session.ts", () => ({ authClient: vi.fn() }));

afterEach(cleanup);

const byCode = () => screen.queryByRole("button", { name: "Use a code from a mail instead" });
const someone = { userId: "1", name: "Bo", email: "bo@example.test", hasSecondFactor: true, suspended: false };
const show = (hosted: boolean) => {
  me = { ...me, hosted };
  renderInMantine(
    <>
      <ReauthenticationFields name="reauthentication" onChange={() => undefined} />
      <UserActions user={someone as UserListItem} ownId="2" />
    </>,
  );
};

test("with accounts of our own an emailed code proves the person, and an admin can take a lost second factor away", () => {
  show(false);
  expect(screen.getByLabelText("Your own password")).toBeTruthy();
  expect(byCode()).toBeTruthy();
  expect(screen.getByRole("button", { name: "Reset two-factor: Bo" })).toBeTruthy();
});

test("in front of a hosted service neither is offered: it would be refused", () => {
  show(true);
  expect(screen.getByLabelText("Your own password")).toBeTruthy();
  expect(byCode()).toBeNull();
  expect(screen.queryByRole("button", { name: "Reset two-factor: Bo" })).toBeNull();
  expect(screen.getByRole("button", { name: "Suspend: Bo" })).toBeTruthy();
});
