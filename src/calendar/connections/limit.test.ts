import { afterAll, beforeAll, expect, test } from "vitest";
import { peopleOf } from "#test/harness/bookings.ts";
import { type TestApp, testApp } from "#test/test-app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

test("allows five connections at most, even if eight are added in parallel", async () => {
  const { at } = await peopleOf(() => app).person("promoter");
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      at.json("/api/me/calendar-connections", {
        server_url: "https://dav.example.org/",
        username: `user-${index}`,
        password: "an app password",
      }),
    ),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.map(({ status }) => status)).toEqual([400, 400, 400]);
  expect(refused[0]?.body["message"]).toBe("You can have 5 connections. Remove one first.");
  const items = (await at.json("/api/me/calendar-connections")).body["items"] as object[];
  expect(items).toHaveLength(5);
  expect(JSON.stringify(items)).not.toMatch(/password_sealed|an app password/);
});
