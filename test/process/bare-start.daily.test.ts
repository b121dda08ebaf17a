/** A new user's first minutes: `npm start` on a bare clone with an empty package cache, to the first paid booking of the demo market. */

import { execFileSync, spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { bookingInput, daysAhead } from "../postgres/two-servers.ts";
import { endAll, freePort, freshFolder, root } from "./server.ts";

const maxMs = 180_000;
let stop = async () => {};
afterAll(async () => {
  await stop();
  await endAll();
});

test(
  "reaches the first booking of the demo market from npm start on a bare clone within three minutes",
  async () => {
    const folder = freshFolder();
    execFileSync("git", ["clone", "--quiet", root, folder]);
    const port = String(await freePort());
    const began = performance.now();
    const child = spawn("npm", ["start"], {
      cwd: folder,
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: process.env["HOME"] ?? "",
        npm_config_cache: freshFolder(),
        PORT: port,
      },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
    stop = async () => {
      if (child.exitCode === null && child.pid) process.kill(-child.pid, "SIGTERM");
      await ended;
    };
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (part: string) => (output += part));
    while (!output.includes("Stagedoor is ready at")) {
      if (child.exitCode !== null) throw new Error(`npm start ended: ${output}`);
      await pause(100);
    }

    const origin = `http://localhost:${port}`;
    expect(output).toContain(origin);
    expect(output).toContain("promoter@demo.test");
    let cookie = "";
    const send = async (path: string, body: object) => {
      const headers = { "content-type": "application/json", cookie };
      const response = await fetch(origin + path, {
        method: "POST",
        redirect: "manual",
        headers,
        body: JSON.stringify(body),
      });
      cookie ||= response.headers
        .getSetCookie()
        .map((one) => one.split(";")[0])
        .join("; ");
      return response;
    };
    const requested = await send("/api/bookings", bookingInput("electric-dreams", 1, daysAhead(60)));
    expect(requested.status, await requested.clone().text()).toBe(201);
    const { id } = (await requested.json()) as { id: string };
    const opened = await send("/api/functions/create-contract-and-checkout", { booking_id: id });
    const { checkout_url: checkout } = (await opened.json()) as { checkout_url: string };
    expect((await send(`${new URL(checkout).pathname}/pay`, {})).status).toBe(303);
    const status = async () => {
      const response = await fetch(`${origin}/api/bookings/${id}`, { headers: { cookie } });
      return ((await response.json()) as { status: string }).status;
    };
    await expect.poll(status, { timeout: 30_000 }).toMatch(/deposit_paid|contract_sent/);
    expect(performance.now() - began).toBeLessThan(maxMs);
  },
  5 * maxMs,
);
