import { expect, test } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { browser, linkTokenOf, peopleOf } from "#test/harness/bookings.ts";
import { testApp } from "#test/test-app.ts";
import type { BookingStatus } from "../rules.ts";

const app = closeAfterFile(await testApp());

const { artist, person, held } = peopleOf(() => app);

async function scene(status: BookingStatus, given: object = {}) {
  const player = await person("artist");
  const act = await artist({ userId: player.user.id, name: `Cold; Harbor, ${status}` });
  return {
    act,
    player,
    ...(await held({ artist: act, status, eventDate: "2027-07-10", eventTime: "20:30", ...given })),
  };
}

const inUtc = (at: Date) => at.toISOString().replaceAll(/[-:]|\.\d+/g, "");

async function fileOf(visitor: ReturnType<typeof browser>, id: string, more = "") {
  const response = await visitor.call(`/api/bookings/${id}/calendar${more}`);
  const text = await response.text();
  expect(text.includes("\n") && !/[^\r]\n/.test(text)).toBe(response.status === 200);
  return { status: response.status, headers: response.headers, lines: text.replaceAll("\r\n ", "").split("\r\n") };
}

test("the calendar file of a paid booking has a confirmed event in the venue's time zone, with the booking's id", async () => {
  const { booking, visitor } = await scene("deposit_paid");
  const { headers, lines } = await fileOf(visitor, booking.id);
  expect(headers.get("content-type")).toContain("text/calendar");
  expect(headers.get("content-disposition")).toContain(`${booking.number}.ics`);
  for (const line of [
    "METHOD:PUBLISH",
    `UID:${booking.id}`,
    `SEQUENCE:${booking.version}`,
    "DTSTART;TZID=America/Chicago:20270710T203000",
    "DTEND;TZID=America/Chicago:20270710T233000",
    "SUMMARY:Cold\\; Harbor\\, deposit_paid\\, wedding",
    "STATUS:CONFIRMED",
    `DTSTAMP:${inUtc(booking.updated_at)}`,
    `CREATED:${inUtc(booking.created_at)}`,
    `LAST-MODIFIED:${inUtc(booking.updated_at)}`,
  ])
    expect(lines).toContain(line);
  // The zone's transitions: clocks went forward on 14 March 2027 and go back on 7 November.
  expect(lines.slice(lines.indexOf("BEGIN:VTIMEZONE"), lines.indexOf("END:VTIMEZONE"))).toEqual([
    "BEGIN:VTIMEZONE",
    "TZID:America/Chicago",
    "BEGIN:DAYLIGHT",
    "DTSTART:20270314T020000",
    "TZOFFSETFROM:-0600",
    "TZOFFSETTO:-0500",
    "END:DAYLIGHT",
    "BEGIN:STANDARD",
    "DTSTART:20271107T020000",
    "TZOFFSETFROM:-0500",
    "TZOFFSETTO:-0600",
    "END:STANDARD",
  ]);
});

test("the calendar file of a request is tentative, and of a canceled booking a cancellation", async () => {
  const request = await scene("initiated");
  expect((await fileOf(request.visitor, request.booking.id)).lines).toContain("STATUS:TENTATIVE");
  const canceled = await scene("canceled");
  const { lines } = await fileOf(canceled.visitor, canceled.booking.id);
  expect(lines).toContain("METHOD:CANCEL");
  expect(lines).toContain("STATUS:CANCELLED");
});

test("the calendar file names the promoter's event to the artist, and contains no email address, phone number or secret", async () => {
  const { booking, player, visitor } = await scene("contract_signed");
  const ofArtist = await fileOf(player.at, booking.id);
  expect(ofArtist.lines).toContain("SUMMARY:Wedding: The Waterworks\\, Austin");
  const link = linkTokenOf(app, booking.id);
  for (const { lines } of [
    ofArtist,
    await fileOf(visitor, booking.id),
    await fileOf(browser(app), booking.id, `?link=${link}`),
  ])
    // The number in any format. Three digits alone also occur in times.
    expect(lines.join("\n")).not.toMatch(/@whitt|512\D*555|555\D*0148|link=/);
});

test("the calendar file describes a zone without clock changes", async () => {
  const act = await artist({ location: "Phoenix, Arizona", timeZone: "America/Phoenix" });
  const { booking, visitor } = await held({ artist: { ...act, time_zone: "America/Phoenix" }, status: "deposit_paid" });
  const { lines } = await fileOf(visitor, booking.id);
  expect(lines).toContain("TZID:America/Phoenix");
  expect(lines).toContain("TZOFFSETTO:-0700");
});

test("the calendar file is not found (404) for other users, as for a missing booking", async () => {
  const { booking } = await scene("contract_signed");
  const missing = "00000000-0000-4000-8000-000000000000";
  for (const at of [browser(app), (await person("promoter")).at, (await person("artist")).at])
    for (const id of [booking.id, missing]) {
      const { status, body } = await at.json(`/api/bookings/${id}/calendar`);
      expect([status, body["message"]]).toEqual([404, "Booking not found"]);
    }
});
