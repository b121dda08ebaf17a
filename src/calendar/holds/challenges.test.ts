import { describe, expect, test } from "vitest";
import { describeDay } from "#platform/time/calendar.rules.ts";
import { hourMs, minuteMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { dayAhead, messagesTo, press, reservations } from "#test/harness/bookings.ts";
import * as holds from "#test/harness/calendars/holds.ts";
import { artistWithHolds, holdsBy, later, type Person, promoterOf } from "#test/harness/calendars/holds.ts";
import { earliestAfter } from "#test/harness/clock/clock.ts";
import { testApp } from "#test/test-app.ts";
import { instantOf } from "../time.rules.ts";
import { holdDeadlineTimes } from "./queue.views.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-11-24T18:00:00Z") }));

const queueOf = (count: number, settings = {}) => holds.queueOf(app, count, settings);
const emailsOf = async (person: Person) =>
  (await holds.holdSubjects(app, person)).map((subject) =>
    subject.replace(/\b[A-Z][a-z]+day \d+ [A-Z][a-z]+/, "the night"),
  );

describe("a challenge", () => {
  test("sets one deadline for all holds above, then gives the challenger 24 hours, and then moves the next hold up", async () => {
    const queue = await queueOf(4, { challengeHours: 48 });
    expect((await queue.challenge(0)).message).toMatch(/You have the first hold/);
    expect((await queue.challenge(2)).status).toBe(200);
    const [first, second, challenger, last] = await Promise.all([0, 1, 2, 3].map(queue.own));
    expect(first?.challenge_ends_at).toBe(second?.challenge_ends_at);
    expect(new Date(first?.challenge_ends_at ?? 0).getTime() - app.clock.now().getTime()).toBeCloseTo(48 * hourMs, -5);
    expect([first, second, challenger, last].map((one) => one?.can.book)).toEqual([true, false, false, false]);
    expect([first, second, challenger, last].some((one) => one?.can.challenge)).toBe(false);
    expect((await queue.challenge(3)).message).toMatch(/is being challenged already/);
    // The second hold's turn, and then the common deadline.
    for (const text of [second?.pays_from, first?.challenge_ends_at]) {
      const moment = new Date(text ?? 0);
      const before = new Date(moment.getTime() - 1);
      expect(await earliestAfter(app, holdDeadlineTimes, before)).toEqual(moment);
    }

    await queue.wait(47.9, 2);
    expect(await queue.own(2)).toMatchObject({ rank: 3 });
    await queue.wait(0.2, 0, 2, 3);
    expect(await queue.own(0)).toMatchObject({ state: "lost", can: { book: false } });
    expect(await queue.own(2)).toMatchObject({ rank: 1, must_pay: true, can: { book: true } });
    expect(await queue.own(3)).toMatchObject({ rank: 2 });
    expect((await queue.challenge(3)).message).toMatch(/must book already/);

    await queue.wait(23.9, 2);
    expect(await queue.own(2)).toMatchObject({ rank: 1, must_pay: true });
    await queue.wait(0.2, 2, 3);
    expect(await queue.own(2)).toMatchObject({ state: "lost" });
    expect(await queue.own(3)).toMatchObject({ rank: 1, must_pay: false });
    expect((await queue.by(2).place(queue.act.slug, [queue.night])).message).toMatch(
      /You can hold this night again from Friday 4 December/,
    );
    expect(await emailsOf(queue.person(2))).toEqual([
      "You have the third hold of the night",
      "You have the first hold of the night: book it now",
      "You have lost your hold of the night",
    ]);
    expect(await emailsOf(queue.person(0))).toEqual([
      "You have the first hold of the night",
      "Your hold of the night is challenged",
      "You have lost your hold of the night",
    ]);
    expect(await emailsOf(queue.owner)).toContainEqual(
      expect.stringMatching(/^The hold of .+ on the night is challenged$/),
    );
  });

  test("gives the challenger no time to pay after the evening has begun", async () => {
    const { act, owner } = await artistWithHolds(app, { challengeHours: 72, minimumNotice: 1 });
    const [first, second] = [await promoterOf(app), await promoterOf(app)];
    const night = dayAhead(app, 3);
    await holdsBy(first).placed(act.slug, [night]);
    const { id } = await holdsBy(second).placed(act.slug, [night]);
    expect((await holdsBy(second).challenge(id, night)).status).toBe(200);
    await later(app, 72.1, owner);
    const [hold] = await holdsBy(await later(app, 0, second)).mine();
    const evening = instantOf(`${night}T20:00`, "America/Chicago").toISOString();
    expect(hold?.nights).toMatchObject([{ rank: 1, must_pay: true, expires_at: evening }]);
  });

  test("is refused if the holds above could pay until after the evening has begun, or until an hour before", async () => {
    const { act } = await artistWithHolds(app, { challengeHours: 72, minimumNotice: 1 });
    const [first, second] = [await promoterOf(app), await promoterOf(app)];
    const [tooNear, near, far] = [dayAhead(app, 2), dayAhead(app, 5), dayAhead(app, 6)];
    await holdsBy(first).placed(act.slug, [tooNear, near, far]);
    const { id } = await holdsBy(second).placed(act.slug, [tooNear, near, far]);
    const refused = {
      status: 409,
      message: expect.stringMatching(/would have 72 hours to book, and the evening of .* begins before that/) as string,
    };
    expect(await holdsBy(second).challenge(id, tooNear)).toMatchObject(refused);
    const hoursToEvening = (+instantOf(`${near}T20:00`, "America/Chicago") - +app.clock.now()) / hourMs;
    await later(app, hoursToEvening - 72.5, second);
    expect(await holdsBy(second).challenge(id, near)).toMatchObject(refused);
    expect((await holdsBy(second).challenge(id, far)).status).toBe(200);
  });

  test("fails if a hold above pays in time: every other hold ends, and no promoter can challenge again", async () => {
    const queue = await queueOf(3);
    await queue.challenge(2);
    // Only the first hold can pay in the first half. The second hold can from then on.
    expect((await queue.book(1)).status).toBe(409);
    await queue.wait(12, 0, 1, 2);
    await queue.wait(0.1, 0, 1, 2);
    const told = (await emailsOf(queue.person(1))).filter((subject) => subject === "You can now book the night");
    expect(told).toHaveLength(1);
    expect(await emailsOf(queue.owner)).toContainEqual(expect.stringMatching(/can now book the night$/));
    expect(await queue.own(1)).toMatchObject({ can: { book: true } });
    const opened = await queue.book(1);
    await press(app, opened.body["checkout_url"], "pay");
    const states = (await Promise.all([0, 1, 2].map(queue.own))).map((one) => one?.state);
    expect(states).toEqual(["superseded", "booked", "superseded"]);
    expect(await reservations(app, queue.act.id)).toEqual([{ booking_id: opened.body["booking_id"], kind: "booked" }]);
  });

  test("ends when the challenger releases the hold, and is refused the second time", async () => {
    const queue = await queueOf(2);
    await queue.challenge(1);
    await queue.by(1).release(queue.id(1));
    expect(await queue.own(0)).toMatchObject({ rank: 1, challenge_ends_at: null });
    const again = await queue.by(1).placed(queue.act.slug, [queue.night]);
    expect((await queue.by(1).challenge(again.id, queue.night)).message).toMatch(/challenged it before/);
    const [mine] = await queue.by(1).mine();
    expect(mine?.nights[0]).toMatchObject({ has_challenged: true, is_challenger: false, can: { challenge: false } });
    await queue.wait(0);
    expect(await emailsOf(queue.person(0))).toContain("The challenge for the night is over");
  });

  test("waits for a checkout that is open at the deadline", async () => {
    const queue = await queueOf(2);
    await queue.challenge(1);
    await queue.wait(23.8, 0);
    const opened = await queue.book(0);
    expect(opened.status, JSON.stringify(opened.body)).toBe(200);
    await queue.wait(0.4, 0);
    expect(await queue.own(0)).toMatchObject({ state: "active", being_booked: true });
    await press(app, opened.body["checkout_url"], "cancel");
    await queue.wait(1, 0, 1);
    expect(await queue.own(0)).toMatchObject({ state: "lost" });
    expect(await queue.own(1)).toMatchObject({ rank: 1, must_pay: true });
  });

  test("is refused, as is a booking, while another calendar of the artist is busy at the time of the event", async () => {
    const { act, owner, night, person, by, id, own, challenge } = await queueOf(2);
    const enter = await holds.otherCalendar(app, act.id);
    // The event lasts until 23:00 in Austin, and its reserved time an hour more.
    const entry = { from: `${night}T23:30:00-06:00`, to: `${dayAhead(app, 41)}T06:00:00-06:00` };
    await enter(entry);
    await enter(entry);
    for (const at of [0, 1])
      expect(
        (await holds.holdSubjects(app, person(at))).filter((one) => one.endsWith("cannot be booked now")),
      ).toHaveLength(1);
    expect(await own(0)).toMatchObject({ busy_elsewhere: true, can: { book: false, release: true } });
    expect(await own(1)).toMatchObject({ busy_elsewhere: true, can: { challenge: false } });
    expect(await holdsBy(owner).queue(night)).toMatchObject([{ can: { convert: false } }, {}]);
    expect((await by(0).book(id(0), night)).body["message"]).toMatch(/is taken\. .* is busy at that time\.$/);
    expect(await challenge(1)).toMatchObject({
      status: 409,
      message: expect.stringMatching(/ is busy at the time of/),
    });
    await enter();
    expect(await own(0)).toMatchObject({ busy_elsewhere: false, can: { book: true } });
    expect((await challenge(1)).status).toBe(200);
  });

  test("of an entry that the artist adds and removes repeatedly notifies the promoter once an hour", async () => {
    const { act, night, person } = await queueOf(1);
    const enter = await holds.otherCalendar(app, act.id);
    const entry = { from: `${night}T21:00:00-06:00`, to: `${night}T23:00:00-06:00` };
    const emails = async () =>
      (await holds.holdSubjects(app, person(0))).filter((one) => one.endsWith("cannot be booked now")).length;
    const counts: number[] = [];
    for (const minutes of [0, 1, 58, 1, 30]) {
      app.clock.advance(minutes * minuteMs);
      await enter(entry);
      await enter();
      counts.push(await emails());
    }
    expect(counts).toEqual([1, 1, 1, 2, 2]);
  });
});

describe("the artist", () => {
  test("extends, reorders with a logged reason that is sent, and releases holds, unless a promoter must pay", async () => {
    const queue = await queueOf(3);
    const by = holdsBy(queue.owner);
    const ids = [queue.id(2), queue.id(0), queue.id(1)];
    const reorder = (order: string[], reason = "A better fit") =>
      queue.owner.at.json("/api/artist/holds/reorder", { night: queue.night, ids: order, reason });
    expect((await reorder(ids.slice(1))).status).toBe(409);
    expect((await reorder(ids, " ")).status).toBe(400);
    expect((await reorder(ids)).status).toBe(200);
    expect((await by.queue(queue.night)).map(({ id }) => id)).toEqual(ids);
    await queue.wait(0, 2);
    expect((await messagesTo(app, queue.person(2).user.email)).at(-1)?.text).toContain("The reason: A better fit");
    const toArtist = await messagesTo(app, queue.owner.user.email);
    expect(toArtist.filter(({ subject }) => subject.startsWith("You changed the order of the holds of "))).toEqual([
      expect.objectContaining({
        text: expect.stringMatching(/has the first hold\. .* has the second hold\. .* has the third hold\. /),
      }),
    ]);
    const until = new Date(app.clock.now().getTime() + 30 * 24 * hourMs);
    expect((await by.extend(queue.id(2), until)).status).toBe(200);
    expect(await queue.own(2)).toMatchObject({ rank: 1, expires_at: until.toISOString() });
    await holdsBy(await later(app, 0, queue.person(1))).challenge(queue.id(1), queue.night);
    expect((await by.extend(queue.id(2), until)).status).toBe(409);
    expect((await reorder([...ids].reverse())).status).toBe(409);
    expect((await by.release(queue.id(2))).status).toBe(200);
    expect((await by.extend(queue.id(2), until)).hold.nights[0]?.state).toBe("released");
    expect((await holdsBy(await promoterOf(app)).release(queue.id(0))).status).toBe(404);
  });

  test("cannot extend a hold while another of its nights is challenged, and the answer names that night", async () => {
    const { act, owner } = await artistWithHolds(app);
    const [first, second] = [await promoterOf(app), await promoterOf(app)];
    const nights = [dayAhead(app, 40), dayAhead(app, 41)] as const;
    const { id } = await holdsBy(first).placed(act.slug, [...nights]);
    const behind = await holdsBy(second).placed(act.slug, [nights[1]]);
    const shown = async () => (await holdsBy(owner).queue(nights[0]))[0]?.nights.map(({ can }) => can.extend);
    expect(await shown()).toEqual([true, true]);
    await holdsBy(second).challenge(behind.id, nights[1]);
    expect(await shown()).toEqual([false, false]);
    const refused = await holdsBy(owner).extend(id, new Date(app.clock.now().getTime() + 30 * 24 * hourMs));
    expect([refused.status, refused.message]).toEqual([409, expect.stringContaining(describeDay(nights[1]))]);
  });

  test("loses all holds with a hidden profile, and a deleted or suspended account loses its own", async () => {
    const queue = await queueOf(3);
    const set = (at: number, values: { deleted_at?: Date; banned_until?: Date }) =>
      app.database.db.updateTable("users").set(values).where("id", "=", queue.person(at).user.id).execute();
    await set(0, { banned_until: new Date("2028-01-01") });
    await queue.wait(0, 1, 2);
    expect(await queue.own(1)).toMatchObject({ rank: 1 });
    await set(1, { deleted_at: app.clock.now() });
    await queue.wait(0, 2);
    expect(await queue.own(2)).toMatchObject({ rank: 1 });
    const toArtist = await emailsOf(queue.owner);
    expect(toArtist.filter((subject) => subject.includes("account deleted"))).toEqual([
      "The hold of a promoter (account deleted) on the night is released",
    ]);
    await app.database.db.updateTable("artists").set({ is_public: false }).where("id", "=", queue.act.id).execute();
    await queue.wait(0, 2);
    expect(await queue.own(2)).toMatchObject({ state: "released" });
    expect(await reservations(app, queue.act.id)).toEqual([]);
    const emails = await messagesTo(app, queue.person(2).user.email);
    expect(emails.at(-1)?.subject).toMatch(/^Your hold of .* is released$/);
    expect(emails.at(-1)?.text).toContain("takes no bookings at the moment.");
  });
});
