import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { orpc } from "../api/query.ts";
import { makeQueryInvalidator, ownActionMs, spacingMs } from "./query-invalidation.ts";

let authCalls = 0;
vi.mock("../auth/auth-calls.ts", () => ({ authCallsRunning: () => authCalls }));
vi.mock("../api/browser-api.ts", () => {
  // Mocks every API call. The tests check which ones a notification invalidates.
  const makeClient = (): object => new Proxy(() => Promise.resolve({}), { get: () => makeClient() });
  return { browserApi: makeClient() };
});

let queries: QueryClient;
let invalidator: ReturnType<typeof makeQueryInvalidator>;
beforeEach(() => {
  vi.useFakeTimers();
  authCalls = 0;
  queries = new QueryClient();
  for (const key of Object.values(lists)) queries.setQueryData(key, {});
  invalidator = makeQueryInvalidator(queries);
});
afterEach(() => {
  invalidator.stop();
  queries.clear();
  vi.useRealTimers();
});

const lists = {
  bookings: orpc.bookings.listAll.key(),
  reviews: orpc.reviews.ofBooking.key(),
  overview: orpc.overviews.admin.key(),
  payments: orpc.reports.payments.list.key(),
  log: orpc.activity.log.key(),
  users: orpc.users.directory.list.key(),
  artists: orpc.artists.admin.list.key(),
  "artist's settings": orpc.artists.settings.read.key(),
  claims: orpc.users.claims.mine.key(),
  me: orpc.users.me.key(),
  account: ["account"],
};
/** Returns the names of the stale queries and makes all fresh again. */
function stale(): string[] {
  const names = Object.entries(lists).flatMap(([name, key]) =>
    queries.getQueryState(key)?.isInvalidated ? [name] : [],
  );
  for (const key of Object.values(lists)) queries.setQueryData(key, {});
  return names;
}

test.each([
  ["bookings", ["bookings", "overview", "payments"]],
  ["reviews", ["reviews"]],
  ["money", ["overview", "payments"]],
  ["log", ["log"]],
  ["users", ["users"]],
  ["artists", ["overview", "artists", "artist's settings"]],
  ["claims", ["claims"]],
  ["everything", Object.keys(lists)],
  ["beat", []],
] as const)("invalidates the queries of a notification about %s immediately", (about, expected) => {
  invalidator.onNotification(about);
  expect(stale()).toEqual(expected);
});

test("invalidates immediately on a burst, and once more afterwards", () => {
  for (let notification = 0; notification < 20; notification++) invalidator.onNotification("bookings");
  expect(stale()).toEqual(["bookings", "overview", "payments"]);
  invalidator.onNotification("users");
  invalidator.onNotification("bookings");
  expect(stale()).toEqual([]);
  vi.advanceTimersByTime(spacingMs);
  expect(stale()).toEqual(["bookings", "overview", "payments", "users"]);
  vi.advanceTimersByTime(10 * spacingMs);
  expect(stale()).toEqual([]);
  invalidator.onNotification("users");
  expect(stale()).toEqual(["users"]);
});

test.each(["bookings", "everything"] as const)(
  "reloads a list once if a change (%s) arrives during its first load",
  async (about) => {
    const answers: ((rows: string[]) => void)[] = [];
    const observer = new QueryObserver(queries, {
      queryKey: [...orpc.bookings.listAll.key(), "new filter"],
      queryFn: () => new Promise<string[]>((resolve) => answers.push(resolve)),
    });
    const stop = observer.subscribe(() => undefined);
    invalidator.onNotification(about);
    expect(answers).toHaveLength(1);
    answers[0]?.([]);
    await vi.advanceTimersByTimeAsync(0);
    expect(answers).toHaveLength(2);
    answers[1]?.(["the new request"]);
    await vi.advanceTimersByTimeAsync(0);
    expect(observer.getCurrentResult().data).toEqual(["the new request"]);
    expect(answers).toHaveLength(2);
    stop();
  },
);

test("reloads the current user within half a second of a notification about access", () => {
  invalidator.onNotification("access");
  vi.advanceTimersByTime(ownActionMs);
  expect(stale()).toEqual(["me", "account"]);
  expect(ownActionMs).toBeLessThan(500);
});

test("sends no query with the old token while the response to the user's own action is pending", () => {
  authCalls = 1;
  invalidator.onNotification("access");
  vi.advanceTimersByTime(5_000);
  expect(stale()).toEqual([]);
  authCalls = 0;
  vi.advanceTimersByTime(50);
  expect(stale()).toEqual(["me", "account"]);
});

test("drops pending invalidations on stop", () => {
  invalidator.onNotification("access");
  invalidator.onNotification("bookings");
  invalidator.onNotification("users");
  stale();
  invalidator.stop();
  vi.advanceTimersByTime(60_000);
  expect(stale()).toEqual([]);
});
