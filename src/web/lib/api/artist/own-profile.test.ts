import { expect, test, vi } from "vitest";
import { todayOf } from "./own-profile.ts";

vi.mock("../query.ts", () => ({}));
vi.mock("../../clock.ts", () => ({ currentTime: () => new Date("2027-02-09T11:30:00Z") }));

test.each([
  ["Pacific/Kiritimati", "2027-02-10"],
  ["Pacific/Pago_Pago", "2027-02-09"],
  ["Etc/GMT+12", "2027-02-08"],
])("returns today in the artist's time zone %s, not the viewer's", (time_zone, today) => {
  expect(todayOf({ time_zone })).toBe(today);
});
