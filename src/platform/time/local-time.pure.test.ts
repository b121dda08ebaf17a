import { expect, test } from "vitest";
import { eventSpan } from "#calendar/time.rules.ts";
import { addDays } from "./calendar.rules.ts";
import { localInstant } from "./local-time.rules.ts";

const zones = ["Europe/Berlin", "America/St_Johns", "Pacific/Auckland", "Pacific/Kiritimati", "Australia/Lord_Howe"];

test("returns the same instant as the server, also around the changes of clocks", () => {
  for (const zone of zones)
    for (let date = "2027-03-10"; date < "2027-11-12"; date = date === "2027-04-10" ? "2027-09-20" : addDays(date, 1))
      for (const time of ["00:00", "01:30", "02:00", "02:30", "12:00", "23:30"]) {
        const span = eventSpan({ date, time, zone, minutes: 1 });
        if ("missing" in span) continue;
        expect([zone, date, time, localInstant(`${date}T${time}`, zone)]).toEqual([zone, date, time, span.startsAt]);
      }
});

test("moves a time that clocks skip forward", () => {
  expect(localInstant("2027-03-28T02:30", "Europe/Berlin").toISOString()).toBe("2027-03-28T01:30:00.000Z");
});
