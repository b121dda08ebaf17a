import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { intervalsByIcalJs } from "#test/harness/calendars/ical-js.ts";
import { readContents, type ReadingOptions } from "./busy-intervals.ts";
import { CalendarUnreadable } from "./content-lines.ts";
import { readCalendar } from "./reader.ts";

const folder = path.resolve(import.meta.dirname, "../../../test/fixtures/calendars");
const expected = JSON.parse(readFileSync(path.join(folder, "expected.json"), "utf8")) as Record<string, string[]>;
const options = {
  window: { from: new Date("2027-01-01T00:00Z"), to: new Date("2028-01-01T00:00Z") },
  zone: "America/Chicago",
};
const names = readdirSync(folder)
  .filter((name) => name.endsWith(".ics"))
  .toSorted();
const textOf = (name: string) => readFileSync(path.join(folder, name), "utf8");
const minutes = (intervals: readonly { from: Date; to: Date }[]) =>
  intervals.map(({ from, to }) => `${from.toISOString().slice(0, 16)}Z/${to.toISOString().slice(0, 16)}Z`);

const busyIntervals = (text: string, given: ReadingOptions) => readContents(text, given).intervals;
const entry = (lines: string) =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:e\r\nDTSTART:20200101T100000Z\r\nDTEND:20200101T110000Z\r\n${lines}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;
const read = (lines: string) => () => busyIntervals(entry(lines), options);

describe("readContents", () => {
  test("has a corpus of at least 40 files", () => {
    expect(names.length).toBeGreaterThanOrEqual(40);
    expect(names.map((name) => name.replace(".ics", ""))).toEqual(Object.keys(expected));
  });

  test.each(names)("reads %s to the minute", (name) => {
    expect(minutes(busyIntervals(textOf(name), options))).toEqual(expected[name.replace(".ics", "")]);
  });

  /** Where ical.js knows less, or differs from RFC 5545. */
  const otherInIcalJs: Readonly<Record<string, string>> = {
    "nextcloud-freebusy": "reads entries, no VFREEBUSY",
    "apple-this-and-future": "leaves RANGE=THISANDFUTURE as it is",
    "nextcloud-rdate": "leaves out DTSTART when RDATE alone repeats the entry",
    "nextcloud-rdate-period": "takes the periods of RDATE for other values",
    "gap-chicago": "reads a missing hour by the offset after the gap; 3.3.5 wants the one before",
    "overlap-berlin": "reads a repeated hour as the later one; 3.3.5 wants the earlier",
    "yandex-until-day": "needs the file's VTIMEZONE, and ends an UNTIL of a day at its beginning",
    "zoho-every-second-week": "ends an UNTIL of a day at its beginning",
    "lower-case-and-bom": "refuses a byte order mark",
  };
  test.each(names.filter((name) => !otherInIcalJs[name.replace(".ics", "")]))("reads %s as ical.js does", (name) => {
    expect(minutes(busyIntervals(textOf(name), options))).toEqual(minutes(intervalsByIcalJs(textOf(name), options)));
  });

  test("refuses a calendar of which it can read nothing, with a reason", () => {
    expect(() => busyIntervals("<html>Sign in</html>", options)).toThrow("does not lead to a calendar");
    expect(read("RRULE:FREQ=SECONDLY")).toThrow("more than 100,000 times");
    expect(read("RRULE:FREQ=SOMETIMES")).toThrow(CalendarUnreadable);
    expect(read("EXDATE:tomorrow")).toThrow("EXDATE");
    expect(read("RDATE;VALUE=PERIOD:20270506T200000Z/P99999999999W")).toThrow("RDATE");
    const lasting = (end: string) => () => busyIntervals(entry("").replace(/DTEND:.*/, end), options);
    for (const length of ["P999999999999D", "PT99999999999999999H"])
      expect(lasting(`DURATION:${length}`)).toThrow("DURATION");
    expect(lasting("DTEND:20279999T999999")).toThrow("DTEND");
    const periods =
      "BEGIN:VCALENDAR\r\nBEGIN:VFREEBUSY\r\nFREEBUSY:20270506T200000Z/later\r\nEND:VFREEBUSY\r\nEND:VCALENDAR";
    expect(() => busyIntervals(periods, options)).toThrow("busy time");
    expect(read("RDATE;TZID=Nowhere/Land:20270101T100000")).toThrow("Nowhere/Land");
    const older = "END:VEVENT\r\nBEGIN:VEVENT\r\nUID:e\r\nDTSTART:20270101T100000Z";
    expect(read(`SEQUENCE:1\r\nEXDATE:tomorrow\r\n${older}`)).toThrow("EXDATE");
  });

  test.each([
    ["an alarm", "BEGIN:VALARM\r\nTRIGGER:-PT15M"],
    ["a line of a description", "Begin: 8 pm"],
    ["its entry", "END:VEVENT\r\nBEGIN:VEVENT\r\nUID:open\r\nDTSTART:20270508T200000Z\r\nDURATION:PT2H"],
  ])("reads every entry of a file in which the end of %s is missing", (_what, lines) => {
    const one = (uid: string, more = "") =>
      `BEGIN:VEVENT\r\nUID:${uid}\r\n${more}\r\nDTSTART:20270506T200000Z\r\nDURATION:PT2H\r\n`;
    const isEntry = lines.startsWith("END");
    const text = `BEGIN:VCALENDAR\r\n${one("a")}${lines}\r\n${isEntry ? "" : "END:VEVENT\r\n"}${one("b")}${lines}\r\nEND:VEVENT\r\nEND:VCALENDAR`;
    const { intervals, isCut } = readContents(text, options);
    expect([intervals.length, isCut]).toEqual([isEntry ? 4 : 2, false]);
  });

  test("reads the other entries beside one that it cannot read, and names that one", () => {
    const good = "BEGIN:VEVENT\r\nUID:good\r\nDTSTART:20270506T200000Z\r\nDURATION:PT2H\r\nEND:VEVENT\r\n";
    const beside = (lines: string) =>
      entry(`SUMMARY:Rehearsal\\, late\r\n${lines}\r\nEND:VEVENT\r\n${good}BEGIN:VEVENT\r\nUID:f`);
    const unreadable = { uid: "e", title: "Rehearsal, late", day: "2020-01-01" };
    for (const [lines, reason] of [
      ["RRULE:FREQ=SECONDLY", "The calendar repeats entries more than 100,000 times."],
      ["RRULE:FREQ=HOURLY;BYMINUTE=0,15,30,45", "An entry repeats too often for us to read."],
      ["RDATE;TZID=Nowhere/Land:20270101T100000", expect.stringContaining("Nowhere/Land")],
    ] as const) {
      const { intervals, unread } = readContents(beside(lines), options);
      expect(minutes(intervals)).toEqual(["2027-05-06T20:00Z/2027-05-06T22:00Z"]);
      expect(unread).toMatchObject([{ ...unreadable, reason }, { uid: "f" }]);
    }
    const zoned = beside("RDATE;TZID=Odd:20270101T100000").replace(
      "BEGIN:VEVENT",
      "BEGIN:VTIMEZONE\r\nTZID:Odd\r\nBEGIN:STANDARD\r\nDTSTART:20200101T000000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0100\r\nRRULE:FREQ=SOMETIMES\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\nBEGIN:VEVENT",
    );
    expect(readContents(zoned, options).unread).toMatchObject([unreadable, { uid: "f" }]);
    const periods = "BEGIN:VFREEBUSY\r\nUID:p\r\nFREEBUSY:20270506T200000Z/later\r\nEND:VFREEBUSY\r\n";
    const partly = readContents(entry("").replace("BEGIN:VEVENT", `${periods}${good}BEGIN:VEVENT`), options);
    expect([partly.intervals.length, partly.unread]).toMatchObject([
      1,
      [{ uid: "p", reason: "A busy time cannot be read." }],
    ]);
  });

  test("names an entry and a time zone without control characters, which cannot be stored", () => {
    const { unread } = readContents(
      entry(
        `SUMMARY:a\\\u0000b\r\nRDATE;TZID=No\u0000where:20270101T100000\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:f\r\nDTSTART:20270101`,
      ),
      options,
    );
    expect(unread).toMatchObject([{ title: "ab", reason: expect.stringContaining("“Nowhere”") }]);
  });

  test("leaves an occurrence at its time if its change cannot be read", () => {
    const change = "END:VEVENT\r\nBEGIN:VEVENT\r\nUID:e\r\nRECURRENCE-ID:20270102T100000Z\r\nDTSTART:20279905T100000Z";
    const { intervals, unread } = readContents(entry(`RRULE:FREQ=DAILY;UNTIL=20270103T235959Z\r\n${change}`), options);
    expect(intervals.map(({ from }) => from.getUTCDate())).toEqual([1, 2, 3]);
    expect(unread).toMatchObject([{ uid: "e", day: null, reason: "An entry has a DTSTART that we cannot read." }]);
  });

  test("replaces an occurrence of a series with times by a RECURRENCE-ID without a time", () => {
    const moved =
      "END:VEVENT\r\nBEGIN:VEVENT\r\nUID:e\r\nRECURRENCE-ID;VALUE=DATE:20270102\r\nDTSTART:20270105T100000Z\r\nDTEND:20270105T110000Z";
    const series = entry(`RRULE:FREQ=DAILY;UNTIL=20270103T235959Z\r\n${moved}`);
    const days = (text: string) => busyIntervals(text, options).map(({ from }) => from.getUTCDate());
    expect(days(series)).toEqual([1, 3, 5]);
    // With two occurrences on the day, none is meant.
    expect(days(series.replace("DAILY;", "DAILY;BYHOUR=10,18;")).filter((day) => day === 2)).toHaveLength(2);
  });

  test("reads a rule with 100,000 repetitions", () => {
    expect(read("RRULE:FREQ=DAILY;COUNT=100000")()).toHaveLength(365);
  });

  test("reads an end in the last hours of the year 9999 in every zone", () => {
    const weekly = entry("RRULE:FREQ=WEEKLY;UNTIL=99991231T235959Z").replaceAll(/:(2020\w+)Z/g, ":$1");
    expect(busyIntervals(weekly, { ...options, zone: "Europe/Berlin" })).toHaveLength(52);
    const endless = entry("").replace(/DTEND:.*/, "DTEND;TZID=America/Chicago:99991231T235959");
    expect(minutes(busyIntervals(endless, options))).toEqual(["2020-01-01T10:00Z/2100-01-01T00:00Z"]);
  });
});

describe("readCalendar", () => {
  test("returns the result of readContents, and its reasons", async () => {
    const name = "google-moved-instance.ics";
    expect(await readCalendar(textOf(name), options)).toEqual(readContents(textOf(name), options));
    await expect(readCalendar("no calendar", options)).rejects.toThrow("does not lead to a calendar");
  });

  test("ends a reading that takes too long or too much memory", async () => {
    const years = { window: { from: new Date("2027-01-01T00:00Z"), to: new Date("2029-01-01T00:00Z") }, zone: "UTC" };
    const never = entry("RRULE:FREQ=SECONDLY;INTERVAL=86399;BYHOUR=1;BYMINUTE=1;BYSECOND=1;BYMONTHDAY=31;BYMONTH=2");
    await expect(readCalendar(never, years, { ms: 500, megabytes: 64 })).rejects.toThrow(CalendarUnreadable);
    const large = entry("").replace(
      "BEGIN:VEVENT",
      `${"BEGIN:VEVENT\r\nUID:1\r\nEND:VEVENT\r\n".repeat(90_000)}BEGIN:VEVENT`,
    );
    await expect(readCalendar(large, years, { ms: 60_000, megabytes: 8 })).rejects.toThrow("too much memory");
  });

  test("reads for a commitment while it reads two others that do not end", async () => {
    const years = { window: { from: new Date("2027-01-01T00:00Z"), to: new Date("2029-01-01T00:00Z") }, zone: "UTC" };
    const rule = "RRULE:FREQ=SECONDLY;INTERVAL=86399;BYHOUR=1;BYMINUTE=1;BYSECOND=1;BYMONTHDAY=31;BYMONTH=2";
    let ms = 500;
    const attempt = async () => {
      ms *= 2;
      const others = [1, 2].map(() => readCalendar(entry(rule), years, { ms }).catch(() => "others"));
      const commitment = readCalendar(entry(""), options, { isCommitment: true, ms: 60_000 }).then(() => "commitment");
      const first = await Promise.race([...others, commitment]);
      await Promise.all([...others, commitment]);
      return first;
    };
    // A busy machine can need seconds to start a thread.
    await expect.poll(attempt).toBe("commitment");
  });
});
