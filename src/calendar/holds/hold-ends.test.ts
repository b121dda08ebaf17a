import { expect, test } from "vitest";
import { formatDay } from "#platform/time/calendar.rules.ts";
import { dayMs, hourMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { dayAhead, follow, messagesTo } from "#test/harness/bookings.ts";
import * as holds from "#test/harness/calendars/holds.ts";
import { later, artistWithHolds, holdsBy, type Person, promoterOf } from "#test/harness/calendars/holds.ts";
import { testApp } from "#test/test-app.ts";
import { advanceOverdueNights, remindOfEnds } from "./jobs.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-11-24T18:00:00Z") }));
const subjectsFor = (person: Person) => holds.holdSubjects(app, person);

test("offers an expired hold again only if the night is far enough ahead after the wait of 7 days", async () => {
  const { act } = await artistWithHolds(app, { holdDays: 7, minimumNotice: 14 });
  const promoter = await promoterOf(app);
  const [soon, ahead] = [dayAhead(app, 20), dayAhead(app, 30)];
  await holdsBy(promoter).placed(act.slug, [soon, ahead]);
  app.clock.advance(7 * dayMs + 1);
  await advanceOverdueNights(app.services);
  await follow(app);
  const emails = await messagesTo(app, promoter.user.email);
  const textOf = (night: string) =>
    emails.find(({ subject }) => subject === `Your hold of ${formatDay(night)} has expired`)?.text;
  expect(textOf(ahead)).toContain("In 7 days you can hold this night again, if it is still available.");
  expect(textOf(soon)).toContain("Nothing was charged.");
});

test("states from when a night can be held again, after all holds of the promoter and with the artist's notice", async () => {
  const { act } = await artistWithHolds(app, { minimumNotice: 14 });
  const promoter = await promoterOf(app);
  const [soon, ahead] = [dayAhead(app, 18), dayAhead(app, 60)];
  const by = () => holdsBy(promoter);
  await by().release((await by().placed(act.slug, [soon, ahead])).id);
  const againFrom = async (night: string) =>
    (await by().mine()).map(({ nights }) => nights.find((one) => one.night === night)?.again_from);
  const [first] = await againFrom(ahead);
  expect([first, await againFrom(soon)]).toEqual([expect.any(String), [null]]);
  expect((await by().place(act.slug, [soon])).message).toMatch(/has ended\. You cannot hold this night again\.$/);
  expect((await by().place(act.slug, [ahead])).message).toMatch(/again from .*, if it is still available\.$/);
  await later(app, 7 * 24, promoter);
  const { id } = await by().placed(act.slug, [ahead]);
  expect(await againFrom(ahead)).toEqual([null, null]);
  await by().release(id);
  const [second, former] = await againFrom(ahead);
  expect([former, String(second) > String(first)]).toEqual([second, true]);
});

test("reminds the promoter once of each end of a hold, a day before, unless the hold is shorter than two days", async () => {
  const { act, owner } = await artistWithHolds(app);
  const short = await artistWithHolds(app, { holdDays: 1 });
  const promoter = await promoterOf(app);
  const nights = [dayAhead(app, 40), dayAhead(app, 41)];
  const { id } = await holdsBy(promoter).placed(act.slug, nights);
  await holdsBy(promoter).placed(short.act.slug, nights);
  const remindedAfter = async (hours: number) => {
    app.clock.advance(hours * hourMs);
    await remindOfEnds(app.services);
    await follow(app);
    return (await subjectsFor(promoter)).filter((subject) => subject.endsWith("ends soon"));
  };
  expect(await remindedAfter(143)).toEqual([]);
  const reminder = `Your hold of ${nights.map((night) => formatDay(night)).join(", ")} ends soon`;
  expect(await remindedAfter(1)).toEqual([reminder]);
  expect(await remindedAfter(1)).toEqual([reminder]);
  const until = new Date(app.clock.now().getTime() + 72 * hourMs);
  expect((await holdsBy(await later(app, 0, owner)).extend(id, until)).status).toBe(200);
  expect(await remindedAfter(47)).toEqual([reminder]);
  expect(await remindedAfter(1)).toEqual([reminder, reminder]);
});
