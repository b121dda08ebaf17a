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

test("returns what was sent while the browser was away and in the 10 seconds before, and nothing older", () => {
  for (const about of ["users", "bookings", "money"] as const) {
    recent.add(notification(about));
    now += 10_000;
  }
  expect(topics(recent, 10_000)).toEqual(["bookings", "money"]);
  expect(topics(recent, 0)).toEqual(["money"]);
});

test("returns null for a gap that begins before the first known notification", () => {
  expect(recent.ofLast(0)).toBeNull();
  now += 9_999;
  expect(recent.ofLast(0)).toBeNull();
  now += 1;
  expect(recent.ofLast(0)).toEqual([]);
  expect(recent.ofLast(1)).toBeNull();
});

test("forgets notifications after a minute", () => {
  recent.add(notification("users"));
  now += 60_001;
  recent.add(notification("bookings"));
  expect(topics(recent, 50_000)).toEqual(["bookings"]);
  expect(recent.ofLast(50_001)).toBeNull();
});

test("returns null for a time before a gap in listening", () => {
  recent.add(notification("users"));
  now += 30_000;
  recent.restart();
  now += 10_000;
  recent.add(notification("bookings"));
  expect(topics(recent, 0)).toEqual(["bookings"]);
  expect(recent.ofLast(1)).toBeNull();
});
