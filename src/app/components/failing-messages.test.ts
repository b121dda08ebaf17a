/** What email and text messages report if they do not work, and what happens to the waiting messages. */

import { createServer } from "node:http";
import { type AddressInfo } from "node:net";
import { sql } from "kysely";
import { afterEach, expect, test } from "vitest";
import { closeDelivery, deliverMessages } from "#delivery/index.ts";
import { enqueueMessage, isAccountNotice, isErased, isSecret, templateTitle } from "#notifications/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { freePort } from "#test/free-ports.ts";
import { componentsOf } from "#test/harness/components.ts";
import { startMailServer } from "#test/harness/servers/mail-server.ts";
import { testApp } from "#test/test-app.ts";
import { runCommand } from "../admin/commands.ts";
import type { Services } from "../services.ts";
import { testComponent } from "./test-component.ts";
import { reportComponents } from "./views.ts";

const nowhere = `127.0.0.1:${await freePort()}`;
const app = closeAfterFile(await testApp());
const { withEnv, tried } = componentsOf(app);

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

const deliver = (services: Services) =>
  deliverMessages(services, {
    readAttachment: async () => undefined,
    isAccountNotice,
    isErased,
    isSecret,
    templateTitle,
  });

test("reports for email: an unreachable relay, a wrong password, and a relay that accepts a test email", async () => {
  const unreachable = await tried(withEnv({ SMTP_URL: `smtp://ada:a-password@${nowhere}` }), "email");
  expect(unreachable.message).toBe(
    `No answer from ${nowhere}: the connection was refused. Visitors get no emails for now. All emails are stored and retried for three days. Expired codes are not sent. Check the host and the port in SMTP_URL (smtps:// usually has 465, smtp:// 587 or 25), that the relay is running with a valid certificate, and that it accepts the sender (MAIL_FROM, or Settings, Notifications).`,
  );
  expect([unreachable.status, unreachable.details]).toEqual(["failing", expect.not.stringContaining("a-password")]);
  const relay = await startMailServer({
    authOptional: false,
    onAuth: ({ password }, _session, done) =>
      password === "right" ? done(null, { user: "ada" }) : done(new Error("535 no, not wrong-one")),
  });
  open.push(relay.close);
  const mixedUp = await tried(withEnv({ SMTP_URL: relay.url.replace("smtp:", "smtps:") }), "email");
  expect(mixedUp.message).toMatch(/^No answer from 127\.0\.0\.1:\d+: it does not use TLS on this port\./);
  const at = (password: string) => withEnv({ SMTP_URL: relay.url.replace("//", `//ada:${password}@`), DEMO: "0" });
  const refused = await tried(at("wrong-one"), "email");
  expect(refused.message).toMatch(/^The relay does not accept the name and the password\..*Check the name and/);
  expect(`${refused.message} ${refused.details}`).not.toContain("wrong-one");
  const right = at("right");
  open.unshift(() => closeDelivery(right.config));
  const sent = await testComponent(right, "email", { sendTo: "mara@components.test" });
  expect([sent.works, sent.message]).toEqual([true, expect.stringContaining("It accepted a test email to you.")]);
  expect(relay.received.join("")).toContain("Subject: Test email");
  expect((await tried(right, "email")).status).toBe("works");
  expect(relay.received).toHaveLength(1);
  expect((await reportComponents(withEnv({ DEMO: "0" }), ["email"]))[0]).toMatchObject({
    status: "not_set_up",
    message: "No emails are sent. Set SMTP_URL.",
  });
});

test("reports email as failing immediately if the relay refuses the sender, without addresses in the log", async () => {
  let refuses = true;
  const relay = await startMailServer({
    onMailFrom: (address, _session, done) =>
      done(refuses ? Object.assign(new Error(`no <${address.address}>`), { responseCode: 550 }) : undefined),
  });
  open.push(relay.close);
  const logged: string[] = [];
  const log = Object.create(app.services.log, {
    warn: { value: (entry: object) => void logged.push(JSON.stringify(entry)) },
  }) as Services["log"];
  const services = withEnv({ SMTP_URL: relay.url, DEMO: "0" }, { log });
  open.unshift(() => closeDelivery(services.config));
  await app.database.transaction((tx) => tx.deleteFrom("messages").execute());
  await app.database.transaction((tx) =>
    enqueueMessage(tx, {
      template: "contact_acknowledgement",
      channel: "email",
      to: "ada@example.test",
      params: { supportEmail: "help@example.test" },
    }),
  );
  expect(await deliver(services)).toEqual({ sent: 0, failed: 1 });
  expect(logged.join("")).toContain("550 no <…>");
  expect(logged.join("")).not.toContain("@");

  const refused = await tried(services, "email");
  expect([refused.works, refused.status]).toEqual([true, "failing"]);
  let output = "";
  expect(await runCommand(services, ["components"], async (part) => void (output += part))).toBe(false);
  expect(output).toMatch(/Email +external +FAILING .*\(Mail command failed: 550 no <…>\) 1 waiting since 2\d{3}-/);
  const metrics = await (await app.request("/metrics")).text();
  expect(metrics).toContain('stagedoor_component_failing{component="email"} 1');

  refuses = false;
  await app.database.transaction((tx) =>
    tx
      .updateTable("messages")
      .set({ next_try_at: new Date(0) })
      .execute(),
  );
  expect(await deliver(services)).toEqual({ sent: 1, failed: 0 });
  expect((await tried(services, "email")).status).toBe("works");
});

test("sends the messages of a long outage once and in their order as soon as the relay answers again", async () => {
  const relay = await startMailServer();
  open.push(relay.close);
  const up = withEnv({ SMTP_URL: relay.url, DEMO: "0" });
  const down = withEnv({ SMTP_URL: `smtp://${nowhere}`, DEMO: "0" });
  open.unshift(() => closeDelivery(up.config));
  await app.database.transaction((tx) => tx.deleteFrom("messages").execute());
  const names = ["first", "second", "third", "leased"];
  for (const name of names)
    await app.database.transaction((tx) =>
      enqueueMessage(tx, {
        template: "contact_acknowledgement",
        channel: "email",
        to: `${name}@example.test`,
        params: { supportEmail: "help@example.test" },
      }),
    );
  expect(await deliver(down)).toEqual({ sent: 0, failed: 4 });
  expect((await tried(down, "email")).status).toBe("failing");
  // After some hours each waits for its own moment of the next hour. Another process sends the last one now.
  for (const [at, name] of names.entries())
    await app.database.transaction((tx) =>
      tx
        .updateTable("messages")
        .set({ next_try_at: sql<Date>`now() + make_interval(mins => ${[50, 30, 10, 4][at]})` })
        .where("recipient", "=", `${name}@example.test`)
        .execute(),
    );
  expect(await deliver(up)).toEqual({ sent: 0, failed: 0 });
  for (let round = 0; round < 2; round++) await tried(up, "email");
  const { rows } = await sql<{ recipient: string }>`
    select recipient from messages where next_try_at <= now() order by next_try_at, created_at`.execute(
    app.database.db,
  );
  expect(rows.map(({ recipient }) => recipient)).toEqual(names.slice(0, 3).map((name) => `${name}@example.test`));
  expect(await deliver(up)).toEqual({ sent: 3, failed: 0 });
  await tried(up, "email");
  expect(await deliver(up)).toEqual({ sent: 0, failed: 0 });
  expect(relay.received).toHaveLength(3);
});

test("reports for text messages: a wrong token, a suspended account, an unreachable service", async () => {
  let reply = { status: 401, body: { code: 20003, message: "Authenticate, not a-token" } as object };
  const server = createServer((_request, response) =>
    response.writeHead(reply.status, { "content-type": "application/json" }).end(JSON.stringify(reply.body)),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(() => server.close());
  const at = (host: string) =>
    withEnv({
      TWILIO_ACCOUNT_SID: "AC1",
      TWILIO_AUTH_TOKEN: "a-token",
      TWILIO_FROM: "+15005550006",
      TWILIO_API_URL: `http://${host}`,
    });
  const here = at(`127.0.0.1:${(server.address() as AddressInfo).port}`);
  const wrong = await tried(here, "sms");
  expect(wrong.message).toMatch(/^Twilio does not accept the account and its token\..*TWILIO_AUTH_TOKEN\.$/);
  expect(wrong.details).toBe("401 Authenticate, not …");
  reply = { status: 200, body: { sid: "AC1", status: "suspended" } };
  expect((await tried(here, "sms")).message).toMatch(/^The account at Twilio is not active/);
  reply = { status: 200, body: { sid: "AC1", status: "active" } };
  expect((await tried(here, "sms")).status).toBe("works");
  expect((await tried(at(nowhere), "sms")).message).toMatch(
    /^No answer from 127\.0\.0\.1:\d+: the connection was refused/,
  );
});
