/** Follows shows around clock changes, midnight and the end of years through every screen's data, email and file, on a server in another zone. */

import { afterEach, expect, test } from "vitest";
import { bookingsJobs } from "#bookings/index.ts";
import { addDays, describeDay, formatDay, formatInstant, timeIn } from "#platform/time/calendar.rules.ts";
import { dayMs, hourMs, minuteMs } from "#platform/time/durations.rules.ts";
import { formatTimeZone } from "#platform/time/time-zones.rules.ts";
import { changeArtistSettings } from "#settings/index.ts";
import { peopleOf, press } from "#test/harness/bookings.ts";
import { intervalsByIcalJs } from "#test/harness/calendars/ical-js.ts";
import { contractRow, signingCalls, tokensOf } from "#test/harness/contracts.ts";
import { popplerIsHere, runPoppler } from "#test/harness/poppler.ts";
import { type TestApp, testApp } from "#test/test-app.ts";
import { isThorough } from "#test/tier.ts";

type Show = Readonly<{
  server: string;
  town: string;
  zone: string;
  date: string;
  time: string;
  duration: string;
  night: string;
  starts: string;
  ends: string;
  /** 9:00 local on the day when the balance is due. */
  due: string;
  /** The local midnight, 13 days before the show, from which the whole fee is lost. */
  midnight: string;
}>;

const austin = { town: "Austin, Texas", zone: "America/Chicago" };
const sydney = { town: "Sydney, Australia", zone: "Australia/Sydney" };
const lordHowe = { town: "Lord Howe Island", zone: "Australia/Lord_Howe" };

type Place = Readonly<{ town: string; zone: string }>;

const showOf = (
  [server, place]: [string, Place],
  [date, time, duration]: [string, string, string],
  night: string,
  [starts, ends]: [string, string],
  [due, midnight]: [string, string],
): Show => ({ server, ...place, date, time, duration, night, starts, ends, due, midnight });

const shows: Show[] = [
  showOf(
    ["Australia/Sydney", austin],
    ["2027-03-14", "00:30", "3 hours"],
    "2027-03-13",
    ["2027-03-14T06:30Z", "2027-03-14T09:30Z"],
    ["2027-02-14T15:00Z", "2027-03-01T06:00Z"],
  ),
  showOf(
    ["Pacific/Honolulu", austin],
    ["2027-03-14", "03:30", "2 hours"],
    "2027-03-13",
    ["2027-03-14T08:30Z", "2027-03-14T10:30Z"],
    ["2027-02-14T15:00Z", "2027-03-01T06:00Z"],
  ),
  showOf(
    ["Australia/Sydney", austin],
    ["2027-11-07", "00:30", "3 hours"],
    "2027-11-06",
    ["2027-11-07T05:30Z", "2027-11-07T08:30Z"],
    ["2027-10-10T14:00Z", "2027-10-25T05:00Z"],
  ),
  showOf(
    ["Pacific/Honolulu", austin],
    ["2027-11-07", "03:30", "2 hours"],
    "2027-11-06",
    ["2027-11-07T09:30Z", "2027-11-07T11:30Z"],
    ["2027-10-10T14:00Z", "2027-10-25T05:00Z"],
  ),
  showOf(
    ["Europe/Berlin", sydney],
    ["2027-10-03", "00:30", "3 hours"],
    "2027-10-02",
    ["2027-10-02T14:30Z", "2027-10-02T17:30Z"],
    ["2027-09-04T23:00Z", "2027-09-19T14:00Z"],
  ),
  showOf(
    ["Europe/Berlin", sydney],
    ["2027-04-04", "03:30", "2 hours"],
    "2027-04-03",
    ["2027-04-03T17:30Z", "2027-04-03T19:30Z"],
    ["2027-03-06T22:00Z", "2027-03-21T13:00Z"],
  ),
  showOf(
    ["Europe/Berlin", lordHowe],
    ["2027-04-04", "00:30", "3 hours"],
    "2027-04-03",
    ["2027-04-03T13:30Z", "2027-04-03T16:30Z"],
    ["2027-03-06T22:00Z", "2027-03-21T13:00Z"],
  ),
  showOf(
    ["Pacific/Honolulu", lordHowe],
    ["2027-10-03", "03:30", "2 hours"],
    "2027-10-02",
    ["2027-10-02T16:30Z", "2027-10-02T18:30Z"],
    ["2027-09-04T22:30Z", "2027-09-19T13:30Z"],
  ),
  showOf(
    ["Australia/Sydney", austin],
    ["2027-12-31", "23:00", "4 hours"],
    "2027-12-31",
    ["2028-01-01T05:00Z", "2028-01-01T09:00Z"],
    ["2027-12-03T15:00Z", "2027-12-18T06:00Z"],
  ),
  showOf(
    ["Australia/Sydney", austin],
    ["2028-02-29", "21:00", "3 hours"],
    "2028-02-29",
    ["2028-03-01T03:00Z", "2028-03-01T06:00Z"],
    ["2028-02-01T15:00Z", "2028-02-16T06:00Z"],
  ),
];

afterEach(() => void (process.env["TZ"] = "UTC"));

type Json = Record<string, unknown>;

const iso = (text: string) => new Date(text).toISOString();
const later = (text: string, ms: number) => new Date(new Date(text).getTime() + ms);

async function runJobs(app: TestApp, at: Date) {
  app.clock.moveTo(at);
  for (const job of bookingsJobs) await job.run(app.services);
  await app.settle();
}

const mailsTo = async (app: TestApp, to: string) =>
  (await (await app.request(`/api/dev/outbox?to=${encodeURIComponent(to)}`)).json()) as {
    subject: string;
    text: string;
    html: string;
  }[];

/** Returns the texts of the newest email with a subject, in text and in HTML, with single spaces. */
async function mailTo(app: TestApp, to: string, subject: RegExp): Promise<string[] | undefined> {
  const found = (await mailsTo(app, to)).find((mail) => subject.test(mail.subject));
  return found && [found.text, withoutTags(found.html)].map((text) => text.replaceAll(/\s+/g, " "));
}

const withoutTags = (html: string) => html.replace(/<style[^]*?<\/style>/g, "").replaceAll(/<[^>]*>/g, " ");

// Each takes seconds.
test.each(isThorough ? shows : shows.filter((_show, at) => at % 3 === 0))(
  "names the same night and instant of a show in $town at $time on $date, for a server in $server",
  async (show) => {
    process.env["TZ"] = show.server;
    const { date, time, night, zone } = show;
    const [starts, ends] = [iso(show.starts), iso(show.ends)];
    await using app = await testApp({ now: later(starts, -60 * dayMs) });
    expect(new Date().getTimezoneOffset()).not.toBe(0);
    const { person, artist } = peopleOf(() => app);
    const [player, promoter] = [await person("artist"), await person("promoter")];
    const act = await artist({ userId: player.user.id, location: show.town, timeZone: zone });
    await app.database.transaction((tx) => changeArtistSettings(tx, act.id, { holdsEnabled: true }, player.user.id));
    const as = async ({ user }: typeof player, address: string, body?: object) => {
      const headers = await app.signIn(user);
      return (await (await app.request(address, { headers, ...(body ? { body } : {}) })).json()) as Json;
    };

    const nights = [addDays(night, -1), night, addDays(night, 1)];
    const stateOf = async () =>
      (await app.json(`/api/artists/${act.slug}/availability?from=${nights[0]}&to=${nights[2]}`)).body.items?.map(
        ({ state }) => state,
      );
    const isFound = async () =>
      JSON.stringify(await app.json(`/api/artists?night=${night}&available=true`)).includes(act.slug);
    expect([await stateOf(), await isFound()]).toEqual([["free", "free", "free"], true]);

    const rival = await person("promoter");
    const place = { eventLocation: `The Waterworks, ${show.town}`, eventType: "Wedding" };
    const { body: hold } = await rival.at.json("/api/holds", {
      artistId: act.slug,
      nights: [night],
      eventTime: time,
      ...place,
    });
    const calendarOfNight = () => as(player, `/api/artist/calendar?from=${night}&to=${night}`);
    expect(await calendarOfNight()).toMatchObject({ items: [{ kind: "hold", night, starts_at: starts }] });
    expect((await rival.at.json(`/api/holds/${hold.id}/release`, {})).status).toBe(200);
    const request = {
      artistId: act.slug,
      eventDate: date,
      eventTime: time,
      duration: show.duration,
      ...place,
      clientEmail: promoter.user.email,
    };
    const { body: checked } = await promoter.at.check(request);
    expect(checked).toMatchObject({
      date: { state: "free", night, time_zone: zone },
      price: { balance_due: addDays(date, -28) },
    });
    const { body: booking } = await promoter.at.requestBooking(request);
    await press(app, (await promoter.at.checkout(booking)).body["checkout_url"], "pay");
    const page = await as(promoter, `/api/bookings/${booking.id}`);
    expect(page).toMatchObject({ event_date: date, starts_at: starts, ends_at: ends, time_zone: zone });
    expect([await stateOf(), await isFound()]).toEqual([["free", "taken", "free"], false]);

    expect(await calendarOfNight()).toMatchObject({
      items: [{ kind: "show", night, last_night: night, starts_at: starts, ends_at: ends }],
    });
    for (const [who, side] of [
      [player, "artist"],
      [promoter, "promoter"],
    ] as const)
      expect(await as(who, `/api/${side}/bookings?month=${date.slice(0, 7)}`)).toMatchObject({
        items: [{ event_date: date, event_time: time }],
      });

    const window = { from: later(starts, -2 * dayMs), to: later(ends, 2 * dayMs) };
    const interval = [{ from: new Date(starts), to: new Date(ends) }];
    for (const who of [player, promoter]) {
      const feeds = (await as(who, "/api/me/calendar-feeds"))["items"] as { url: string }[];
      for (const { url } of feeds) {
        const { body } = await app.server.inject({ url: new URL(url).pathname });
        expect(intervalsByIcalJs(body, { window, zone: show.server })).toEqual(interval);
      }
    }
    const files = await app.database.db
      .selectFrom("messages")
      .select("attachment_text")
      .where("attachment_kind", "=", "calendar")
      .execute();
    expect(files.length).toBeGreaterThan(1);
    for (const { attachment_text: text } of files)
      expect(intervalsByIcalJs(String(text), { window, zone: show.server })).toEqual(interval);

    for (const [who, subject] of [
      [promoter, /^Booked/],
      [player, /^Booked/],
    ] as const)
      for (const text of (await mailTo(app, who.user.email, subject)) ?? ["no email"]) {
        expect(text).toContain(describeDay(date));
        expect(text).toMatch(new RegExp(`Starts:? +${time}`));
      }

    await runJobs(app, app.clock.now());
    const keys = await tokensOf(app, booking.id);
    for (const key of [keys.promoter, keys.artist_token])
      expect((await signingCalls(app).openAndSign(key)).status).toBe(200);
    await runJobs(app, app.clock.now());
    const contract = await contractRow(app, booking.id);
    const headers = await app.signIn(player.user);
    const link = await app.server.inject({ url: `/api/contracts/${contract.id}/document`, headers });
    const { pathname, search } = new URL(String(link.headers.location), app.services.config.publicUrl);
    const pdf = await app.server.inject({ url: pathname + search });
    if (popplerIsHere) {
      const text = runPoppler("pdftotext", pdf.rawPayload, { before: ["-q"], after: ["-"] }).replaceAll(/\s+/g, " ");
      expect(text).toContain(`on ${describeDay(date)} from ${time} to ${timeIn(zone, new Date(ends))}`);
      expect(text).toContain(`local time at the venue (${zone},`);
    }

    const dueDay = addDays(date, -28);
    for (const [subject, at] of [
      [new RegExp(`is due on ${formatDay(dueDay, { short: true }).slice(4)}$`), later(show.due, -7 * dayMs)],
      [/is due today$/, later(show.due, 0)],
    ] as const) {
      await runJobs(app, new Date(at.getTime() - minuteMs));
      expect(await mailTo(app, promoter.user.email, subject)).toBeUndefined();
      await runJobs(app, at);
      for (const text of (await mailTo(app, promoter.user.email, subject)) ?? ["no email"])
        expect(text).toContain(describeDay(date));
    }
    const body = { bookingId: booking.id, isDeposit: false };
    const paying = await as(promoter, "/api/functions/create-checkout", body);
    await press(app, paying["url"], "pay");

    const preview = (await as(promoter, `/api/bookings/${booking.id}/cancellation`)) as { steps: { until: string }[] };
    expect(preview.steps.map(({ until }) => until)).toEqual([iso(show.midnight), starts]);

    const over = /take place\?$/;
    await runJobs(app, later(ends, -minuteMs));
    expect(await mailTo(app, promoter.user.email, over)).toBeUndefined();
    await runJobs(app, later(ends, minuteMs));
    for (const text of (await mailTo(app, promoter.user.email, over)) ?? ["no email"]) {
      expect(text).toContain(`by ${formatInstant(later(ends, 24 * hourMs), zone)}`);
      expect(text).toContain(`on ${formatInstant(later(ends, 48 * hourMs), zone)}`);
    }
    await runJobs(app, later(ends, 48 * hourMs - minuteMs));
    expect(await as(promoter, `/api/bookings/${booking.id}`)).toMatchObject({ status: "contract_signed" });
    await runJobs(app, later(ends, 48 * hourMs + minuteMs));
    const done = await as(promoter, `/api/bookings/${booking.id}`);
    const timeline = done["timeline"] as { kind: string; at: string }[];
    const completed = String(timeline.find(({ kind }) => kind === "completed")?.at);
    expect(await as(player, "/api/artist/payouts")).toMatchObject({ items: [{ event_date: date, due_at: completed }] });
    const reviews = await as(promoter, `/api/bookings/${booking.id}/reviews`);
    expect(reviews).toMatchObject({ open_until: later(completed, 14 * dayMs).toISOString() });
    for (const who of [promoter, player])
      for (const { subject, text, html } of await mailsTo(app, who.user.email))
        for (const part of [text, withoutTags(html)].map((found) => found.replaceAll(/\s+/g, " "))) {
          for (const [day] of part.matchAll(/[A-Z][a-z]+day \d+ [A-Z][a-z]+ \d{4}/g))
            expect(describeDay(new Date(`${day} 00:00Z`).toISOString().slice(0, 10)), subject).toBe(day);
          for (const [, named] of part.matchAll(/\d\d:\d\d \(([^)]+)\)/g)) expect(named).toBe(formatTimeZone(zone));
        }
  },
);
