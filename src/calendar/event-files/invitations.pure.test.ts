import { expect, test } from "vitest";
import { calendarClient } from "#test/harness/calendars/client.ts";
import { type CalendarEvent, type CalendarMethod, calendarText } from "./calendar-file.rules.ts";

const invitation = {
  organizer: { name: "Stagedoor", email: "bookings@stagedoor.test" },
  attendee: { name: "Cold Harbor", email: "artist@stagedoor.test" },
};
const at = (text: string) => new Date(`${text}:00Z`);

/** Makes a show in Austin whose version is the SEQUENCE of its files. */
function fileOf(
  method: CalendarMethod,
  sequence: number,
  { uid = "first", day = "2027-02-13" } = {},
  parties: Partial<typeof invitation> = {},
): string {
  const event: CalendarEvent = {
    uid,
    sequence,
    startsAt: at(`${day}T02:30`),
    endsAt: at(`${day}T05:30`),
    timeZone: "America/Chicago",
    createdAt: at("2027-01-01T12:00"),
    changedAt: at(`2027-01-02T12:${10 + sequence}`),
    status: method === "CANCEL" ? "canceled" : "confirmed",
    summary: uid,
  };
  return calendarText([event], { method, invitation: { ...invitation, ...parties } });
}

function orders<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((first, index) => orders(items.toSpliced(index, 1)).map((rest) => [first, ...rest]));
}

const show = (summary: string, day: string) => ({ summary, from: at(`${day}T02:30`), to: at(`${day}T05:30`) });

test("names mailboxes in URLs, and retains a plus sign", () => {
  const organizer = { name: "Stagedoor", email: "r&d?x#1%@stagedoor.test" };
  const attendee = { name: "Cold Harbor", email: "anna+gigs@stagedoor.test" };
  const text = fileOf("REQUEST", 1, {}, { organizer, attendee }).replaceAll("\r\n ", "");
  expect(text).toContain(":mailto:r%26d%3Fx%231%25@stagedoor.test");
  expect(text).toContain(":mailto:anna+gigs@stagedoor.test");
});

test("updates a client to booked, moved, canceled and booked again, in any order of the emails", () => {
  const booked = fileOf("REQUEST", 2);
  const moved = fileOf("REQUEST", 3, { day: "2027-02-20" });
  const canceled = fileOf("CANCEL", 5, { day: "2027-02-20" });
  const again = fileOf("REQUEST", 2, { uid: "second", day: "2027-02-20" });
  const steps: [string[], ReturnType<typeof show>[]][] = [
    [[booked], [show("first", "2027-02-13")]],
    [[booked, moved], [show("first", "2027-02-20")]],
    [[booked, moved, canceled], []],
    [[booked, moved, canceled, again], [show("second", "2027-02-20")]],
  ];
  for (const [files, expected] of steps)
    for (const order of orders(files)) {
      const client = calendarClient();
      for (const file of order) client.receive(file);
      expect(client.entriesNow()).toEqual(expected);
    }
});
