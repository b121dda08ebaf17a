import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { makeQueryInvalidator, ownActMs, spacingMs } from "./query-invalidation.ts";
import { orpc } from "../api/query.ts";

let authCalls = 0;
vi.mock("../auth/auth-calls.ts", () => ({ authCallsRunning: () => authCalls }));
vi.mock("../api/browser-api.ts", () => {
  // Every call of the API exists: which of them a notification makes stale is the question here.
  const ask = (): object => new Proxy(() => Promise.resolve({}), { get: () => ask() });
  return { browserApi: ask() };
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
  people: orpc.users.people.list.key(),
  artists: orpc.artists.admin.list.key(),
  claims: orpc.users.claims.mine.key(),
  me: orpc.users.me.key(),
  account: ["account"],
};
/** The names of what is stale; afterwards all is fresh again. */
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
  ["people", ["people"]],
  ["artists", ["overview", "artists"]],
  ["claims", ["claims"]],
  [
    "everything",
    ["bookings", "reviews", "overview", "payments", "log", "people", "artists", "claims", "me", "account"],
  ],
  ["beat", []],
] as const)("a notification about %s makes stale what shows it, at once", (about, expected) => {
  invalidator.onNotification(about);
  expect(stale()).toEqual(expected);
});

test("a burst is answered at once and then once more", () => {
  for (let notification = 0; notification < 20; notification++) invalidator.onNotification("bookings");
  expect(stale()).toEqual(["bookings", "overview", "payments"]);
  invalidator.onNotification("people");
  invalidator.onNotification("bookings");
  expect(stale()).toEqual([]);
  vi.advanceTimersByTime(spacingMs);
  expect(stale()).toEqual(["bookings", "overview", "payments", "people"]);
  vi.advanceTimersByTime(10 * spacingMs);
  expect(stale()).toEqual([]);
  invalidator.onNotification("people");
  expect(stale()).toEqual(["people"]);
});

test.each(["bookings", "everything"] as const)(
  "a change (%s) while a list is loaded for the first time is seen: the list is asked once more",
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

test("after a notification about access the person is asked who they are, well within a second", () => {
  invalidator.onNotification("access");
  vi.advanceTimersByTime(ownActMs);
  expect(stale()).toEqual(["me", "account"]);
  expect(ownActMs).toBeLessThan(500);
});

test("while the response to the user's own action is on its way, no query is sent with the old token", () => {
  authCalls = 1;
  invalidator.onNotification("access");
  vi.advanceTimersByTime(5_000);
  expect(stale()).toEqual([]);
  authCalls = 0;
  vi.advanceTimersByTime(50);
  expect(stale()).toEqual(["me", "account"]);
});

test("what was waiting is forgotten when the listener stops", () => {
  invalidator.onNotification("access");
  invalidator.onNotification("bookings");
  invalidator.onNotification("people");
  stale();
  invalidator.stop();
  vi.advanceTimersByTime(60_000);
  expect(stale()).toEqual([]);
});
