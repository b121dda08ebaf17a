import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { hourMs } from "#platform/time/durations.rules.ts";
import type { CalendarFeed } from "../../lib/api/calendar-feeds.ts";
import { currentToasts } from "../../lib/toasts.ts";
import { apiError, press, renderInMantine, type } from "../test-providers.tsx";
import { OwnFeeds } from "./own-feeds.tsx";

const url = "https://stagedoor.example/calendar/abcdEFGH1234abcdEFGH1234abcdwxyz.ics";
const feed = (given: Partial<CalendarFeed>): CalendarFeed => ({
  kind: "private",
  url,
  last_fetched_at: null,
  last_client: null,
  ...given,
});
let response: { data?: { items: CalendarFeed[] }; error: Error | null; isFetching: boolean; refetch(): void };
const renew = vi.fn();
const turnOff = vi.fn();
const { readFeed, reauthenticate } = vi.hoisted(() => ({ readFeed: vi.fn(), reauthenticate: vi.fn() }));
vi.mock("../../lib/api/account.ts", () => ({ reauthenticate }));
vi.mock("../../lib/auth/session.ts", () => ({ authClient: vi.fn() }));
vi.mock("../../lib/api/current-user.ts", () => ({
  useCurrentUser: () => ({ phase: "known", me: { hasPassword: true } }),
}));
vi.mock("../../lib/api/calendar-feeds.ts", () => ({
  readFeed,
  useCalendarFeeds: () => response,
  useRenewFeed: () => ({ isPending: false, mutateAsync: renew }),
  useTurnOffFeed: () => ({ isPending: false, mutateAsync: turnOff }),
}));
const loaded = (...items: CalendarFeed[]) => ({ data: { items }, error: null, isFetching: false, refetch: vi.fn() });

beforeEach(() => {
  readFeed.mockReset();
  renew.mockReset().mockResolvedValue(feed({}));
  turnOff.mockReset().mockResolvedValue(feed({ url: null }));
});

const needed = () => apiError("reauthentication_needed", "Enter your password again to continue.");
const confirmIdentity = async () => {
  await screen.findByRole("dialog", { name: "Confirm it's you" });
  type("Your own password", "a quiet lamp backstage");
  press("Continue");
};

test("reads a hidden link before it copies it, after the user's identity is confirmed", async () => {
  const writeText = vi.fn().mockResolvedValue(undefined);
  Object.defineProperty(navigator, "clipboard", { value: { writeText }, configurable: true });
  readFeed.mockRejectedValueOnce(needed()).mockResolvedValueOnce(feed({}));
  response = loaded(feed({ url: "https://stagedoor.example/calendar/abcd…wxyz.ics" }));
  renderInMantine(<OwnFeeds things="shows" />);
  expect(screen.getByText("/calendar/abcd…wxyz.ics")).toBeTruthy();
  press("Copy link");
  await confirmIdentity();
  await waitFor(() => expect(writeText).toHaveBeenCalledExactlyOnceWith(url));
  expect(readFeed).toHaveBeenCalledWith("private");
  expect(reauthenticate).toHaveBeenCalledWith({ password: "a quiet lamp backstage" });
});

test("lets the next press copy a link that the browser does not copy after a request", async () => {
  const writeText = vi.fn().mockRejectedValueOnce(new DOMException("no press", "NotAllowedError"));
  Object.defineProperty(navigator, "clipboard", { value: { writeText }, configurable: true });
  readFeed.mockResolvedValueOnce(feed({}));
  response = loaded(feed({ url: "https://stagedoor.example/calendar/abcd…wxyz.ics" }));
  const { rerender } = renderInMantine(<OwnFeeds things="shows" />);
  press("Copy link");
  await waitFor(() => expect(currentToasts().at(-1)?.text).toBe("Press Copy link again."));
  expect(response.refetch).toHaveBeenCalledOnce();
  response = loaded(feed({}));
  rerender(<OwnFeeds things="gigs" />);
  press("Copy link");
  expect(writeText).toHaveBeenLastCalledWith(url);
  expect(readFeed).toHaveBeenCalledOnce();
});

test("renews a link after the user's identity is confirmed, if the server requires it", async () => {
  renew.mockRejectedValueOnce(needed());
  response = loaded(feed({}));
  renderInMantine(<OwnFeeds things="shows" />);
  press("Actions: private feed");
  fireEvent.click(await screen.findByRole("menuitem", { name: "Renew link…" }));
  fireEvent.click(await screen.findByRole("button", { name: "Renew link" }));
  await confirmIdentity();
  await waitFor(() => expect(renew).toHaveBeenCalledTimes(2));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("copies the link, shows only its ends, and states how late Google is", async () => {
  const writeText = vi.fn().mockResolvedValue(undefined);
  Object.defineProperty(navigator, "clipboard", { value: { writeText }, configurable: true });
  response = loaded(
    feed({ last_client: "Google Calendar", last_fetched_at: new Date(Date.now() - 3 * hourMs) as never }),
    feed({ kind: "public", url: null }),
  );
  renderInMantine(<OwnFeeds things="shows" />);
  expect(screen.getByText("/calendar/abcd…wxyz.ics")).toBeTruthy();
  expect(screen.getByText("Last fetched by Google Calendar, 3 hours ago")).toBeTruthy();
  expect(screen.getByText(/Google fetches a feed only every 8 to 24 hours/)).toBeTruthy();
  press("Copy link");
  await waitFor(() => expect(writeText).toHaveBeenCalledWith(url));
  press("Turn on");
  await waitFor(() => expect(renew).toHaveBeenCalledWith({ kind: "public" }));
});

test("renews and turns off a feed after a confirmation", async () => {
  response = loaded(feed({}));
  renderInMantine(<OwnFeeds things="shows" />);
  for (const [item, confirm, act] of [
    ["Renew link…", "Renew link", renew],
    ["Turn off…", "Turn off feed", turnOff],
  ] as const) {
    press("Actions: private feed");
    fireEvent.click(await screen.findByRole("menuitem", { name: item }));
    fireEvent.click(await screen.findByRole("button", { name: confirm }));
    await waitFor(() => expect(act).toHaveBeenCalledWith({ kind: "private" }));
    await waitFor(() => expect(screen.queryByRole("button", { name: confirm })).toBeNull());
  }
});

test("offers Retry if the feeds fail to load", () => {
  response = { error: new Error("offline"), isFetching: false, refetch: vi.fn() };
  renderInMantine(<OwnFeeds things="shows" />);
  press("Retry");
  expect(response.refetch).toHaveBeenCalled();
});
