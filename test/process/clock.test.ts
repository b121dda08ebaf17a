import { afterAll, expect, test } from "vitest";
import { dayMs } from "#platform/time/durations.rules.ts";
import { emptyMarketFolder, endAll, type Server, startServer } from "./server.ts";

afterAll(endAll);

const daysAhead = async (server: Server) => {
  const { now } = (await (await fetch(`${server.address}/api/dev/clock`)).json()) as { now: string };
  return (Date.parse(now) - Date.now()) / dayMs;
};

test("retains a moved clock after a restart, and ignores it outside demo mode", async () => {
  const env = { DATA_DIR: emptyMarketFolder() };
  const first = await startServer(env);
  expect(await daysAhead(first)).toBeCloseTo(0, 2);
  const response = await fetch(`${first.address}/api/dev/clock`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ advance: "P28D" }),
  });
  expect(response.status, await response.clone().text()).toBe(200);
  expect(await daysAhead(first)).toBeCloseTo(28, 2);
  first.kill("SIGTERM");
  await first.ended;
  const second = await startServer(env);
  expect(await daysAhead(second)).toBeCloseTo(28, 2);
  second.kill("SIGTERM");
  expect((await second.ended).code).toBe(0);
  const production = await startServer({ ...env, DEMO: "0" });
  expect((await fetch(`${production.address}/api/dev/clock`)).status).toBe(404);
  expect(production.output()).not.toContain("P28D");
});
