import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hourMs } from "#platform/time/durations.rules.ts";
import { advanceQueue, challengeQueue, holdRules, mayBook, type QueuedHold } from "./queue.rules.ts";

const start = new Date("2027-01-10T12:00:00Z");
const hours = (count: number) => new Date(start.getTime() + count * hourMs);
const hold = (id: string, rank: number, more: Partial<QueuedHold> = {}): QueuedHold => ({
  id,
  rank,
  expiresAt: hours(100),
  challengeEndsAt: null,
  paysFrom: null,
  mustPay: false,
  isBeingBooked: false,
  isGone: false,
  ...more,
});
const ranks = (queue: readonly QueuedHold[]) => queue.map(({ id, rank }) => `${id}${rank}`).join(" ");
const challenge = (queue: readonly QueuedHold[], challenger: string, endsAt = hours(24)) =>
  challengeQueue(queue, queue.find(({ id }) => id === challenger) ?? hold(challenger, 0), { now: start, endsAt });

describe("advanceQueue", () => {
  test("ends a hold at its deadline, to the millisecond, and moves the others up", () => {
    const queue = [hold("a", 1, { expiresAt: hours(1) }), hold("b", 2), hold("c", 3)];
    expect(advanceQueue(queue, null, new Date(hours(1).getTime() - 1)).ended).toEqual([]);
    const { ended, queue: left } = advanceQueue(queue, null, hours(1));
    expect(ended).toEqual([{ id: "a", state: "expired" }]);
    expect(ranks(left)).toBe("b1 c2");
  });

  test("retains a hold that is being booked after its deadline, and releases one of a removed promoter", () => {
    const queue = [
      hold("a", 1, { expiresAt: hours(1), isBeingBooked: true }),
      hold("b", 2, { isGone: true }),
      hold("c", 3),
    ];
    const { ended, queue: left } = advanceQueue(queue, null, hours(50));
    expect(ended).toEqual([{ id: "b", state: "released" }]);
    expect(ranks(left)).toBe("a1 c2");
  });

  test("ends the challenged holds at the deadline, gives the challenger 24 hours, and ends a challenger who has not paid", () => {
    const challenged = challenge([hold("a", 1), hold("b", 2), hold("c", 3), hold("d", 4)], "c");
    const mayBookAt = (at: number) => challenged.map((one) => mayBook(one, hours(at)));
    expect(mayBookAt(11.9)).toEqual([true, false, false, false]);
    expect(mayBookAt(12)).toEqual([true, true, false, false]);
    expect(advanceQueue(challenged, "c", hours(23)).challenge).toBeNull();
    const over = advanceQueue(challenged, "c", hours(24));
    expect(over.ended).toEqual([
      { id: "a", state: "lost" },
      { id: "b", state: "lost" },
    ]);
    expect(over.challenge).toBe("moved_up");
    expect(ranks(over.queue)).toBe("c1 d2");
    expect(over.queue[0]).toMatchObject({ mustPay: true, expiresAt: hours(24 + holdRules.payHours) });
    expect(advanceQueue(over.queue, null, hours(48)).ended).toEqual([{ id: "c", state: "lost" }]);
  });

  test("gives the challenger 24 hours even if the deadline is noticed days later", () => {
    const late = advanceQueue(challenge([hold("a", 1), hold("b", 2)], "b"), "b", hours(24 * 9));
    expect(late).toMatchObject({ challenge: "moved_up", queue: [{ id: "b", expiresAt: hours(24 * 10) }] });
  });

  test("restores the deadlines of those above if the challenger leaves, and ends those whose time is over", () => {
    const queue = [hold("a", 1), hold("b", 2, { expiresAt: hours(1) }), hold("c", 3), hold("d", 4)];
    const withdrawn = advanceQueue(
      challenge(queue, "c").filter(({ id }) => id !== "c"),
      "c",
      hours(2),
    );
    expect(withdrawn).toMatchObject({ challenge: "withdrawn", ended: [{ id: "b", state: "expired" }] });
    expect(withdrawn.queue).toMatchObject([
      { id: "a", challengeEndsAt: null, rank: 1 },
      { id: "d", rank: 2 },
    ]);
  });

  test("gives a challenged hold that moves up the turn of its new rank", () => {
    const challenged = challenge([hold("a", 1), hold("b", 2), hold("c", 3), hold("d", 4)], "d");
    expect(challenged.map(({ paysFrom }) => paysFrom)).toEqual([hours(0), hours(8), hours(16), null]);
    const released = challenged.map((one) => ({ ...one, isGone: one.id === "a" }));
    const { queue } = advanceQueue(released, "d", hours(1));
    expect(queue).toMatchObject([
      { id: "b", rank: 1 },
      { id: "c", rank: 2 },
      { id: "d", rank: 3, paysFrom: null },
    ]);
    expect(mayBook(queue[1] ?? hold("c", 2), hours(7.9))).toBe(false);
    expect(mayBook(queue[1] ?? hold("c", 2), hours(8))).toBe(true);
    expect(advanceQueue(queue, "d", hours(8)).queue).toMatchObject([
      { id: "b" },
      { id: "c", rank: 2, paysFrom: null },
      { id: "d" },
    ]);
    const withdrawn = advanceQueue(challenged.slice(0, 3), "d", hours(20));
    expect(withdrawn.queue.map((one) => mayBook(one, hours(20)))).toEqual([true, false, false]);
  });

  test("lets the challenger pay once those above have left", () => {
    const left = advanceQueue(challenge([hold("a", 1), hold("b", 2)], "b").slice(1), "b", hours(2));
    expect(left).toMatchObject({ challenge: "moved_up", queue: [{ id: "b", rank: 1, expiresAt: hours(26) }] });
  });

  test("leaves ranks from 1 without gaps, in the same order, for any queue", () => {
    const one = fc.record({
      expires: fc.integer({ min: -5, max: 5 }),
      isBeingBooked: fc.boolean(),
      isGone: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 8 }), fc.option(fc.nat(7)), (given, at) => {
        const queue = given.map(({ expires, ...more }, index) =>
          hold(String.fromCharCode(97 + index), index + 1, { expiresAt: hours(expires), ...more }),
        );
        const challenger = at !== null && at > 0 ? (queue[at]?.id ?? null) : null;
        const before = challenger ? challenge(queue, challenger, hours(1)) : queue;
        const { queue: left, ended, challenge: outcome } = advanceQueue(before, challenger, start);
        expect(left.map((other) => other.rank)).toEqual(left.map((_, index) => index + 1));
        expect(left.map((other) => other.id)).toEqual(left.map((other) => other.id).toSorted());
        expect(left.length + ended.length).toBe(queue.length);
        if (outcome === "moved_up") expect(left[0]?.id).toBe(challenger);
      }),
    );
  });
});
