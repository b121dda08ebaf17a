import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readConfig } from "#platform/config.ts";
import { filesFolder } from "#platform/files/adapters/disk.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { freePort } from "#test/free-ports.ts";
import { testApp } from "#test/test-app.ts";
import { runCommand } from "../admin/commands.ts";
import type { Services } from "../services.ts";
import { componentJobs } from "./jobs.ts";
import { componentNames } from "./rules.ts";

const app = closeAfterFile(await testApp());
const headers = await app.signIn(await app.make.user({ role: "admin", email: "mara@components.test" }));

const list = async () =>
  (await (await app.request("/api/admin/components", { headers })).json()) as {
    items: { name: string; status: string; mode: string; message: string; last_success_at: string | null }[];
    backup: { state: string; place: string | null };
  };
const post = async (name: string, body: object = {}) =>
  (await (await app.request(`/api/admin/components/${name}/test`, { method: "POST", headers, body })).json()) as {
    ok: boolean;
    message: string;
    component: { status: string; message: string };
  };

describe("components of a demo", () => {
  test("lists all, tests each that a demo has, and leaves only one email in the outbox", async () => {
    const before = await list();
    expect(before.items.map(({ name }) => name)).toEqual([...componentNames]);
    const [database, ...others] = before.items.map(({ mode }) => mode);
    expect(database).toBe(app.database.engine === "embedded" ? "embedded" : "external");
    expect(new Set(others)).toEqual(new Set(["embedded"]));
    expect(before.items.find(({ name }) => name === "files")?.status).toBe("untested");
    expect(before.backup).toMatchObject({ state: "none", place: null });
    const absent = ["replica", "single_sign_on"];
    const setUp = componentNames.filter((name) => !absent.includes(name));
    for (const name of setUp) {
      const { ok, message, component } = await post(name);
      expect([name, ok, component.status], message).toEqual([name, true, "works"]);
      expect(component.message).toContain(message);
    }
    const { items } = await list();
    for (const { name, last_success_at: at } of items)
      expect([name, at === null]).toEqual([name, absent.includes(name)]);
    for (const name of absent) expect(items.find((one) => one.name === name)?.status).toBe("not_set_up");
    expect(items.find(({ name }) => name === "signing")?.message).toMatch(
      /sealed document was made and verified.*valid until 20\d\d-/,
    );
    const { db } = app.database;
    const emails = await db
      .selectFrom("messages")
      .select("recipient")
      .where("template", "=", "component_test")
      .execute();
    expect(emails).toEqual([{ recipient: "mara@components.test" }]);
    expect(readdirSync(`${filesFolder(app.dataDir)}/component-test`)).toEqual([]);
    expect(
      await db
        .selectFrom("contract_seals")
        .select("id" as never)
        .execute(),
    ).toEqual([]);
    const names = await db.selectFrom("component_tests").select("name").execute();
    expect(names.map(({ name }) => name).toSorted()).toEqual(setUp.toSorted());
  });

  test("prints the table with an exit code, and counts a failing component in the metrics", async () => {
    const print = async (services: Services) => {
      let output = "";
      const succeeded = await runCommand(services, ["components"], async (part) => void (output += part));
      return { succeeded, output };
    };
    const fine = await print(app.services);
    expect(fine.output.trim().split("\n")).toHaveLength(componentNames.length);
    expect([fine.succeeded, fine.output]).toEqual([
      true,
      expect.stringMatching(/^Database +(embedded|external) +works/),
    ]);
    const env = { DEMO: "1", DATA_DIR: app.dataDir, SMTP_URL: `smtp://127.0.0.1:${await freePort()}` };
    const broken = await print({ ...app.services, config: readConfig(env) });
    expect(broken.succeeded).toBe(false);
    expect(broken.output).toMatch(/Email +external +FAILING +SMTP, 127\.0\.0\.1:\d+ +No answer from 127/);
    const metrics = async () => (await app.request("/metrics")).text();
    expect(await metrics()).toContain('stagedoor_component_failing{component="email"} 1');
    for (const job of componentJobs) await job.run(app.services);
    expect(await metrics()).toContain('stagedoor_component_failing{component="email"} 0');
  });
});
