/** What a component that does not work reports. */

import { sql } from "kysely";
import { afterEach, expect, test } from "vitest";
import type { Database } from "#platform/db/index.ts";
import { openStorage } from "#platform/files/open-files.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { freePort } from "#test/free-ports.ts";
import { gotrueDouble } from "#test/gotrue/double.ts";
import { calendarOf, startCalendarServer } from "#test/harness/calendars/calendar-server.ts";
import { componentsOf } from "#test/harness/components.ts";
import { docusealDouble } from "#test/harness/esign/docuseal-double.ts";
import { ProviderFailure } from "#test/harness/provider/provider-failure.ts";
import { s3Keys, s3Server } from "#test/harness/servers/s3-server.ts";
import { testApp } from "#test/test-app.ts";
import { runCommand } from "../admin/commands.ts";
import { componentJobs } from "./jobs.ts";
import { testComponent } from "./test-component.ts";
import { reportComponents } from "./views.ts";

const nowhere = `127.0.0.1:${await freePort()}`;
const app = closeAfterFile(await testApp());
const { withEnv, tried } = componentsOf(app);

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

test("reports for files: a bucket without permissions, an unreachable service, a full disk", async () => {
  const s3 = await s3Server();
  const env = {
    S3_BUCKET: s3.bucket,
    S3_REGION: s3.region,
    S3_ENDPOINT: s3.endpoint,
    S3_ACCESS_KEY_ID: s3Keys.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
  };
  const services = withEnv(env, { files: await openStorage(withEnv(env).config, "ours") });
  expect((await tried(services, "files")).status).toBe("works");
  expect([...s3.objects.keys()]).toEqual(["installation"]);
  s3.rights.write = false;
  const denied = await tried(services, "files");
  expect(denied.message).toMatch(
    /^The keys may not read and write the bucket stagedoor-files\. Visitors see no uploaded/,
  );
  expect([denied.status, `${denied.message}${denied.details}`]).toEqual([
    "failing",
    expect.not.stringMatching(/a-secret|AKIA/),
  ]);
  await s3.close();
  expect((await tried(services, "files")).message).toMatch(/^No answer from 127\.0\.0\.1:\d+: /);
  const full = Object.assign(new Error("E_CANNOT_WRITE_FILE"), {
    cause: Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" }),
  });
  const files = { ...app.services.files, put: () => Promise.reject(full) };
  const disk = await tried(withEnv({}, { files }), "files");
  expect([disk.message, disk.details]).toEqual([
    expect.stringMatching(/^The disk of the files is full\..*Free some space on the disk of /),
    "ENOSPC",
  ]);
});

test("reports for cards: a wrong key, which is not shown, and an unreachable provider", async () => {
  const { gateway } = app.services;
  const failing = (error: Error) =>
    withEnv(
      {},
      {
        gateway: gateway && { ...gateway, name: "stripe", fetchSettlementCurrencies: () => Promise.reject(error) },
      },
    );
  const wrong = await tried(failing(new ProviderFailure("wrong_key", "Invalid API Key: sk_test_abc***xyz")), "cards");
  expect(wrong.message).toBe(
    "The provider does not accept the key. Visitors cannot pay, and payouts are delayed. Check STRIPE_SECRET_KEY.",
  );
  expect(wrong.details).toBe("Invalid API Key: sk_…");
  const limited = new ProviderFailure("no_permission", "The key lacks the permission balance_read. Add it.");
  expect((await tried(failing(limited), "cards")).message).toBe(
    "The key does not have all permissions. Visitors cannot pay, and payouts are delayed. The key lacks the permission balance_read. Add it.",
  );
  const away = new ProviderFailure("no_answer", "connect ECONNREFUSED 127.0.0.1:9");
  expect((await tried(failing(away), "cards")).message).toMatch(/^No answer from .*: the connection was refused/);
});

test("reports for signing: a wrong key, an outage of the service, and success for both responses", async () => {
  const service = await docusealDouble(() => app.clock.now());
  open.push(service.close);
  const works = await tried(withEnv(service.env), "signing");
  expect(works.message).toMatch(/^DocuSeal answers.*sealed document was made/);
  const wrong = await tried(withEnv({ ...service.env, ESIGN_API_KEY: "not-the-key" }), "signing");
  expect(wrong.message).toMatch(/^DocuSeal does not accept the key.*New contracts are not sent/);
  expect(`${wrong.message}${wrong.details}`).not.toContain("not-the-key");
  service.fail("down", 1, "any");
  expect((await tried(withEnv(service.env), "signing")).message).toMatch(/^DocuSeal could not be reached/);
});

test("reports for built-in signing, which has neither a service nor a key in the settings", async () => {
  const { keys } = app.services;
  const signingWith = (decrypt: typeof keys.decrypt) =>
    tried(withEnv({}, { keys: Object.assign(Object.create(keys) as typeof keys, { decrypt }) }), "signing");
  const late = await signingWith(() => {
    throw new Error("TIMEOUT after 5 seconds");
  });
  expect(late.message).toMatch(/Check the database\.$/);
  const broken = await signingWith(() => "");
  expect(broken.message).toMatch(/Check SECRETS_KEY, or secrets\.key in DATA_DIR\.$/);
});

test("reports for calendars: all or some of the artists' calendars fail", async () => {
  const calendars = await startCalendarServer();
  open.push(calendars.close);
  calendars.serve("/a.ics", calendarOf({ from: "20270710T203000Z", to: "20270710T233000Z" }));
  const services = withEnv({ CALENDAR_ALLOW_HOSTS: calendars.host });
  const artist = await app.make.artist({});
  const add = (path: string) =>
    app.database.db
      .insertInto("external_calendars")
      .values({
        artist_id: artist.id,
        name: "Work",
        url_sealed: app.services.keys.encrypt("external calendar", calendars.url(path)),
        url_host: calendars.host,
      })
      .execute();
  await add("/missing.ics");
  const failing = await tried(services, "calendars");
  expect([failing.message, failing.details]).toEqual([
    expect.stringMatching(/^The only calendar cannot be read\. Nights that are booked elsewhere can appear free\./),
    expect.stringContaining(`${calendars.host}: There is nothing at this address (404).`),
  ]);
  await add("/a.ics");
  expect((await tried(services, "calendars")).message).toBe("1 of 2 calendars were fetched and not stored.");
  expect(await app.database.db.selectFrom("date_reservations").select("id").execute()).toEqual([]);
});

test("reports for a chosen service without key: failing immediately, without the contracts of built-in signing", async () => {
  await app.make.booking({ status: "contract_sent" });
  await app.database.db.deleteFrom("component_tests").where("name", "=", "signing").execute();
  const services = withEnv({ ESIGN_PROVIDER: "docuseal" });
  const [item] = await reportComponents(services, ["signing"]);
  expect(item).toMatchObject({
    product: "DocuSeal",
    status: "failing",
    last_success_at: null,
    message: "No API key is stored for DocuSeal. New contracts are not sent for now.",
  });
});

test("reports for sign-in: a hosted service that answers, and one that does not", async () => {
  const service = await gotrueDouble();
  const services = withEnv({ GOTRUE_URL: service.url });
  expect((await tried(services, "identity")).message).toBe("The sign-in service answers.");
  await service.close();
  const away = await tried(services, "identity");
  expect(away.message).toMatch(/^No answer from 127\.0\.0\.1:\d+: .*Users cannot sign in\. Public pages still work\./);
});

test("reports for the database: a clock that is ten minutes off, and a minute without a response, which is recorded afterwards", async () => {
  const early = { ...app.services, realClock: { now: () => new Date(Date.now() + 600_000) } };
  expect(await tried(early, "database")).toMatchObject({
    status: "failing",
    message:
      "The clocks of the database and of this server differ by 10 minutes. Holds, deadlines and reminders are wrong. Set both clocks by NTP.",
  });
  const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED", syscall: "connect" });
  let away = true;
  const transaction: Database["transaction"] = (work) =>
    away ? Promise.reject(refused) : app.database.transaction(work);
  const services = { ...app.services, database: { ...app.database, transaction } };
  const outcome = await testComponent(services, "database");
  expect(outcome.message).toMatch(/^No answer from the embedded database: the connection was refused\. Visitors see/);
  away = false;
  app.clock.advance(30_000);
  for (const job of componentJobs) await job.run(services);
  const [item] = await reportComponents(services, ["database"]);
  expect(item).toMatchObject({ status: "works", last_failure_at: outcome.testedAt });
});

test("reports for the database: it is read-only", async () => {
  const transaction: Database["transaction"] = (work) =>
    app.database.transaction(async (tx) => {
      await sql`set transaction read only`.execute(tx);
      return work(tx);
    });
  const services = { ...app.services, database: { ...app.database, transaction } };
  expect((await testComponent(services, "database")).message).toBe(
    "The database is read-only. Visitors see the pages, but nothing can be booked, paid or changed. Check whether it is a standby, or was set to read-only.",
  );
});

test("is not tested again when it is no longer set up", async () => {
  const { testedAt } = await testComponent(app.services, "replica");
  app.clock.advance(60_000);
  for (const job of componentJobs) await job.run(app.services);
  const last = app.database.db.selectFrom("component_tests").select("tested_at").where("name", "=", "replica");
  expect((await last.executeTakeFirstOrThrow()).tested_at).toEqual(testedAt);
});

test("reports for the database: entries of the future after the clock was set back, also if the last success has such a time", async () => {
  await using later = await testApp();
  const { services, database } = later;
  const report = async () => {
    await testComponent(services, "database");
    return (await reportComponents(services, ["database"]))[0];
  };
  expect(await report()).toMatchObject({ status: "works" });
  await database.exec(`insert into activity (type, message, created_at) values ('system', 'later', now() + interval '3 days');
    update component_tests set succeeded_at = now() + interval '3 days'`);
  expect(await report()).toMatchObject({
    status: "failing",
    message:
      "The newest log entry is dated 3 days in the future: the clock was ahead before, or is behind now. Holds, deadlines and reminders are wrong. Set the clock by NTP. Queued work can wait until that time.",
    last_success_at: null,
  });
});

test("ignores a failure of the future, which was recorded while the clock was ahead", async () => {
  const services = withEnv({});
  expect(await tried(services, "files")).toMatchObject({ status: "works" });
  await app.database.exec("update component_tests set failed_at = now() + interval '3 days' where name = 'files'");
  const [item] = await reportComponents(services, ["files"]);
  expect(item).toMatchObject({ status: "works", last_failure_at: null });
});

test("the command reports a failed test that cannot be recorded, as on a full disk", async () => {
  const services = withEnv({ SMTP_URL: `smtp://${nowhere}` });
  await app.database.exec(
    "create function refuse_record() returns trigger language plpgsql as 'begin raise exception ''no space''; end'; create trigger full_disk before insert on component_tests execute function refuse_record()",
  );
  open.push(() => app.database.exec("drop function refuse_record() cascade"));
  let output = "";
  expect(await runCommand(services, ["components"], async (part) => void (output += part))).toBe(false);
  expect(output).toMatch(/^Email +external +FAILING +\S.*the connection was refused/m);
});
