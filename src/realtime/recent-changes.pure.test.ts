import { beforeEach, expect, test } from "vitest";
import type { ChangeNotification } from "./change-notifications.ts";
import { makeRecentChanges, type RecentChanges } from "./recent-changes.ts";

const notification = (about: ChangeNotification["about"]): ChangeNotification => ({
  about,
  to: { userIds: [], admins: true },
});
const topics = (recent: RecentChanges, missedMs: number) => recent.ofLast(missedMs)?.map(({ about }) => about);

let now = 0;
let recent: RecentChanges;
beforeEach(() => {
  now = 1_000;
  recent = makeRecentChanges(10_000, () => now);
});

test("what came while the browser was away is told, and ten seconds more for its request; what is older is not", () => {
  for (const about of ["people", "bookings", "money"] as const) {
    recent.add(notification(about));
    now += 10_000;
  }
  expect(topics(recent, 10_000)).toEqual(["bookings", "money"]);
  expect(topics(recent, 0)).toEqual(["money"]);
});

test("a gap that begins before the first notification that is known is answered with nothing known", () => {
  expect(recent.ofLast(0)).toBeNull();
  now += 9_999;
  expect(recent.ofLast(0)).toBeNull();
  now += 1;
  expect(recent.ofLast(0)).toEqual([]);
  expect(recent.ofLast(1)).toBeNull();
});

test("notifications are known for a minute", () => {
  recent.add(notification("people"));
  now += 60_001;
  recent.add(notification("bookings"));
  expect(topics(recent, 50_000)).toEqual(["bookings"]);
  expect(recent.ofLast(50_001)).toBeNull();
});

test("after a gap in listening nothing earlier is known", () => {
  recent.add(notification("people"));
  now += 30_000;
  recent.restart();
  now += 10_000;
  recent.add(notification("bookings"));
  expect(topics(recent, 0)).toEqual(["bookings"]);
  expect(recent.ofLast(1)).toBeNull();
});
