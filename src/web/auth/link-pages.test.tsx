import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createRoutesStub } from "react-router";
import { beforeEach, expect, test, vi } from "vitest";
import { closeErrors, currentToasts } from "../lib/toasts.ts";
import Confirm from "./confirm-page.tsx";
import UndoChange from "./password/undo-page.tsx";

const [verifyOtp, renewSession] = vi.hoisted(() => [vi.fn(), vi.fn()]);
vi.mock("../lib/auth/session.ts", () => ({ authClient: async () => ({ verifyOtp }), renewSession }));

beforeEach(closeErrors);

function open(Component: () => React.ReactNode, query: string) {
  const Page = createRoutesStub([{ path: "/", Component }]);
  render(<Page initialEntries={[`/?${query}`]} />);
}
const errors = () => currentToasts().map(({ text }) => text);
const reply = (status: number, body: object) => Response.json(body, { status });

test("keeps the button of a link while the server does not answer, and undoes the change with it", async () => {
  const fetched = vi.fn().mockRejectedValueOnce(new TypeError("Failed to fetch"));
  fetched.mockResolvedValueOnce(reply(429, { code: "too_many", message: "Wait a minute." }));
  fetched.mockResolvedValueOnce(reply(200, { undone: ["password"], needsAdmin: false }));
  vi.stubGlobal("fetch", fetched);
  open(UndoChange, "token_hash=secret");
  const press = async () => userEvent.click(await screen.findByRole("button", { name: "Undo the change" }));
  await press();
  await waitFor(() => expect(errors()).toEqual([expect.stringContaining("could not be reached")]));
  await press();
  await waitFor(() => expect(errors()).toContain("Wait a minute."));
  expect(renewSession).not.toHaveBeenCalled();
  await press();
  await screen.findByRole("heading", { name: "The change is undone" });
  expect(renewSession).toHaveBeenCalledOnce();
  vi.unstubAllGlobals();
});

test("keeps the button of a link while the sign-in service does not answer, but not for an ended link", async () => {
  const failure = (status: number, code: string) => Object.assign(new Error("Try again later."), { status, code });
  open(Confirm, "type=signup&token_hash=secret");
  const press = async () => userEvent.click(await screen.findByRole("button", { name: "Confirm my address" }));
  verifyOtp.mockResolvedValueOnce({ data: {}, error: failure(429, "over_request_rate_limit") });
  await press();
  await waitFor(() => expect(errors()).toEqual(["Try again later."]));
  verifyOtp.mockResolvedValueOnce({ data: {}, error: failure(403, "otp_expired") });
  await press();
  await screen.findByRole("heading", { name: "This link has ended" });
  expect(errors()).toEqual([]);
});
