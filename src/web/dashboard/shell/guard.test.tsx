import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { StrictMode, useEffect, useReducer, useState } from "react";
import { createRoutesStub } from "react-router";
import { beforeEach, expect, test, vi } from "vitest";
import type { CurrentUserState } from "../../lib/api/current-user.ts";
import { consumeRememberedRoute } from "../../lib/auth/remembered-route.ts";
import { useUnsavedChanges } from "../dialogs/unsaved-changes.tsx";
import { Guard } from "./guard.tsx";

let currentUser: CurrentUserState = { phase: "loading" };
let left = false;
vi.mock("../../lib/auth/session.ts", () => ({
  isLeaving: () => left,
  hasJustSignedOut: () => {
    const was = left;
    left = false;
    return was;
  },
}));
const clear = vi.hoisted(() => vi.fn());
vi.mock("../../lib/api/query.ts", () => ({ queryClient: { clear, invalidateQueries: () => Promise.resolve() } }));
vi.mock("../../lib/api/current-user.ts", () => ({ useCurrentUser: () => currentUser }));

beforeEach(() => {
  sessionStorage.clear();
  clear.mockReset();
  left = false;
});

function show(role: "admin" | "artist" | "promoter" = "admin", address = "/admin/bookings") {
  const Stub = createRoutesStub([
    { path: address, Component: () => <Guard roles={[role]}>{(me) => <h1>Hello {me.name}</h1>}</Guard> },
    { path: "/booking/:id", Component: () => <h1>Your booking</h1> },
    { path: "/auth", Component: () => <h1>Sign in</h1> },
    { path: "/auth/code", Component: () => <h1>Enter your code</h1> },
    { path: "/", Component: () => <h1>Book Amazing Artists</h1> },
    { path: "/dashboard", Component: () => <h1>Dashboard</h1> },
  ]);
  // Strict mode runs each effect twice, as a change during the navigation would.
  render(
    <StrictMode>
      <Stub initialEntries={[address]} />
    </StrictMode>,
  );
}

const ines = { id: "1", name: "Ines", email: "ines@example.org", role: "admin" } as const;

test("shows a spinner until the current user is known", () => {
  currentUser = { phase: "loading" };
  show();
  expect(screen.getByRole("status", { name: "Loading" })).toBeTruthy();
});

test("shows the page to the right role", () => {
  currentUser = { phase: "known", me: ines };
  show();
  expect(screen.getByRole("heading", { name: "Hello Ines" })).toBeTruthy();
});

test("redirects a visitor to sign in, and remembers the page by its id", async () => {
  currentUser = { phase: "signed-out" };
  show();
  await screen.findByRole("heading", { name: "Sign in" });
  expect(sessionStorage.getItem("after-sign-in")).toBe("admin.bookings");
  expect(consumeRememberedRoute()).toBe("/admin/bookings");
  expect(consumeRememberedRoute()).toBeUndefined();
});

function showEditor() {
  function Editor() {
    const [text, setText] = useState("");
    useUnsavedChanges(text ? ["the biography"] : []);
    return <input aria-label="Biography" value={text} onChange={(event) => setText(event.target.value)} />;
  }
  const subscribers = new Set<() => void>();
  const Page = () => {
    const [, render] = useReducer((count: number) => count + 1, 0);
    useEffect(() => void subscribers.add(render), []);
    return <Guard roles={["artist"]}>{() => <Editor />}</Guard>;
  };
  const at = (path: string, title: string) => ({ path, Component: () => <h1>{title}</h1> });
  const Stub = createRoutesStub([
    { path: "/artist/profile", Component: Page },
    at("/auth", "Sign in"),
    at("/dashboard", "Dashboard"),
    at("/", "Home"),
  ]);
  currentUser = { phase: "known", me: { ...ines, role: "artist" } };
  render(<Stub initialEntries={["/artist/profile"]} />);
  fireEvent.change(screen.getByLabelText("Biography"), { target: { value: "An hour of work" } });
  return (next: CurrentUserState) => {
    currentUser = next;
    act(() => subscribers.forEach((render) => render()));
  };
}

test("hides a page with unsaved changes until the same user signs in again, and keeps what was typed", async () => {
  const become = showEditor();
  for (const phase of ["loading", "signed-out"] as const) become({ phase });
  expect(screen.getByRole("heading", { name: "You have been signed out" })).toBeTruthy();
  expect(screen.getByText(/1 change not saved: the biography/)).toBeTruthy();
  expect(screen.getByRole("link", { name: /^Sign In/ }).getAttribute("target")).toBe("_blank");
  expect(screen.queryByRole("textbox")).toBeNull();
  become({ phase: "known", me: { ...ines, role: "artist" } });
  expect(screen.getByRole("textbox", { name: "Biography" })).toHaveProperty("value", "An hour of work");
});

test("hides the dialogs and stops the shortcuts of a hidden page until it is shown again", () => {
  const dialogs = document.body.appendChild(document.createElement("div"));
  dialogs.dataset["portal"] = "true";
  const onShortcut = vi.fn();
  document.addEventListener("keydown", onShortcut);
  const become = showEditor();
  become({ phase: "signed-out" });
  fireEvent.keyDown(document.body, { key: "k", ctrlKey: true });
  expect(dialogs.hidden).toBe(true);
  expect(onShortcut).not.toHaveBeenCalled();
  become({ phase: "known", me: { ...ines, role: "artist" } });
  fireEvent.keyDown(document.body, { key: "k", ctrlKey: true });
  expect(dialogs.hidden).toBe(false);
  expect(onShortcut).toHaveBeenCalledOnce();
  document.removeEventListener("keydown", onShortcut);
  dialogs.remove();
});

test("clears the cache if a hidden page is left, and keeps it for the same user's return", () => {
  const become = showEditor();
  become({ phase: "signed-out" });
  become({ phase: "known", me: { ...ines, role: "artist" } });
  expect(clear).not.toHaveBeenCalled();
  become({ phase: "signed-out" });
  cleanup();
  expect(clear).toHaveBeenCalledOnce();
});

test("requests the code if the account requires a second factor since", () => {
  const become = showEditor();
  become({ phase: "code-needed" });
  expect(screen.getByRole("heading", { name: "Enter your code" })).toBeTruthy();
  expect(screen.getByRole("link", { name: /^Enter Code/ }).getAttribute("href")).toBe("/auth/code");
  expect(screen.queryByText(/signed out/)).toBeNull();
});

test("drops the unsaved changes of a suspended user, who cannot sign in again", async () => {
  const become = showEditor();
  become({ phase: "loading", isSuspended: true });
  become({ phase: "signed-out" });
  await screen.findByRole("heading", { name: "Sign in" });
});

test.each([
  ["another user's sign-in", { phase: "known", me: { ...ines, id: "2", role: "artist" } } as const, "Dashboard"],
  ["the user's own sign-out", { phase: "signed-out" } as const, "Home"],
])("drops unsaved changes after %s", async (_what, next, title) => {
  const become = showEditor();
  left = title === "Home";
  become(next);
  await screen.findByRole("heading", { name: title });
  expect(screen.queryByLabelText("Biography")).toBeNull();
});

test("redirects home after an intended sign-out, and remembers nothing", async () => {
  currentUser = { phase: "signed-out" };
  left = true;
  show();
  await screen.findByRole("heading", { name: "Book Amazing Artists" });
  expect(sessionStorage.getItem("after-sign-in")).toBeNull();
});

test("redirects another role to the dashboard and never shows the page", async () => {
  currentUser = { phase: "known", me: ines };
  show("artist");
  await screen.findByRole("heading", { name: "Dashboard" });
  expect(screen.queryByText("Hello Ines")).toBeNull();
});

test("redirects an artist from a promoter's booking to its page without a dashboard", async () => {
  currentUser = { phase: "known", me: { ...ines, role: "artist" } };
  show("promoter", "/promoter/bookings/b1");
  await screen.findByRole("heading", { name: "Your booking" });
});

test("redirects a user with a pending second factor to the code page", async () => {
  currentUser = { phase: "code-needed" };
  show();
  expect(await screen.findByRole("heading", { name: "Enter your code" })).toBeTruthy();
  expect(screen.queryByText("Hello Ines")).toBeNull();
});

test("does not sign out if the server is unreachable, and retries", async () => {
  const retry = vi.fn();
  currentUser = { phase: "unreachable", retry };
  show();
  screen.getByRole("button", { name: "Retry" }).click();
  await waitFor(() => expect(retry).toHaveBeenCalledOnce());
});

test("leads home for an address planted in the storage", () => {
  for (const planted of ["https://evil.example", "//evil.example", "constructor", "/admin"]) {
    sessionStorage.setItem("after-sign-in", planted);
    expect(consumeRememberedRoute()).toBeUndefined();
  }
});
