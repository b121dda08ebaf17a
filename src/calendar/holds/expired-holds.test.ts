import { expect, test } from "vitest";
import { formatDay } from "#platform/time/calendar.rules.ts";
import { dayMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { dayAhead, follow, messagesTo } from "#test/harness/bookings.ts";
import { artistWithHolds, holdsBy, promoterOf } from "#test/harness/calendars/holds.ts";
import { testApp } from "#test/test-app.ts";
import { advanceOverdueNights } from "./jobs.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-11-24T18:00:00Z") }));

test("offers an expired hold again only if the night is still ahead after the wait of 7 days", async () => {
  const { act } = await artistWithHolds(app, { holdDays: 7, minimumNotice: 0 });
  const promoter = await promoterOf(app);
  const [soon, later] = [dayAhead(app, 12), dayAhead(app, 30)];
  await holdsBy(promoter).placed(act.slug, [soon, later]);
  app.clock.advance(7 * dayMs + 1);
  await advanceOverdueNights(app.services);
  await follow(app);
  const emails = await messagesTo(app, promoter.user.email);
  const textOf = (night: string) =>
    emails.find(({ subject }) => subject === `Your hold of ${formatDay(night)} has expired`)?.text;
  expect(textOf(later)).toContain("In 7 days you can hold this night again, if it is still available.");
  expect(textOf(soon)).toContain("Nothing was charged.");
});
