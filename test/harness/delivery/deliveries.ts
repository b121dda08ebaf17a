import { randomUUID } from "node:crypto";
import type { SMTPServerOptions } from "smtp-server";
import { afterAll, afterEach, beforeAll } from "vitest";
import { closeDelivery, deliverMessages } from "#delivery/index.ts";
import { enqueueMessage, isAccountNotice, isErased, isSecret, templateTitle } from "#notifications/index.ts";
import { readConfig } from "#platform/config.ts";
import type { Database } from "#platform/db/index.ts";
import { makeLimits } from "#platform/security/limits.ts";
import { examples } from "#test/factories/emails.ts";
import { startMailServer } from "#test/harness/servers/mail-server.ts";
import { testPlatform } from "#test/platform.ts";

/** Deliveries of one test file, with its own database and with relays that close after each test. */
export function deliveries() {
  let platform: Awaited<ReturnType<typeof testPlatform>>;
  beforeAll(async () => {
    platform = await testPlatform();
  });
  afterAll(async () => platform[Symbol.asyncDispose]());

  const open: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close();
  });

  async function mailServer(options?: SMTPServerOptions) {
    const server = await startMailServer(options);
    open.push(server.close);
    return server;
  }

  async function testDelivery(env: Record<string, string>) {
    const limits = makeLimits({ ...platform.services, on: true });
    const services = { ...platform.services, config: readConfig({ DEMO: "1", ...env }), limits };
    open.push(() => closeDelivery(services.config));
    const { db } = platform.database;
    const copy: { bytes: Buffer | undefined } = { bytes: Buffer.from("%PDF-1.7 signed") };
    const transaction: Database["transaction"] = (work) => platform.database.transaction(work);
    await transaction((tx) => tx.deleteFrom("messages").execute());
    return {
      code: (channel: "email" | "sms", to: string) =>
        transaction((tx) =>
          enqueueMessage(tx, { template: "one_time_code", channel, to, params: { code: "482913", minutes: 10 } }),
        ),
      notice: (to: string) =>
        transaction((tx) =>
          enqueueMessage(tx, { template: "password_changed", channel: "sms", to, params: examples.password_changed }),
        ),
      contact: (to: string) =>
        transaction((tx) =>
          enqueueMessage(tx, {
            template: "contact_acknowledgement",
            channel: "email",
            to,
            params: { supportEmail: "help@example.test" },
            replyTo: "ada@example.test",
          }),
        ),
      copy,
      signed: (to: string) =>
        transaction((tx) =>
          enqueueMessage(tx, {
            template: "contract_signed",
            channel: "email",
            to,
            params: { ...examples.contract_signed },
            attachment: { name: "contract-SD-7KQ4MN-signed.pdf", kind: "signed_contract", id: randomUUID() },
          }),
        ),
      deliver: () =>
        deliverMessages(services, {
          readAttachment: async () => copy.bytes,
          isAccountNotice,
          isErased,
          isSecret,
          templateTitle,
        }),
      rows: () => db.selectFrom("messages").selectAll().orderBy("created_at").execute(),
      log: () =>
        db
          .selectFrom("activity as l")
          .innerJoin("messages as m", "m.id", "l.id")
          .select(["l.type", "l.message", "l.ref_id"])
          .orderBy("m.created_at")
          .execute(),
      makeDue: () =>
        transaction((tx) =>
          tx
            .updateTable("messages")
            .set({ next_try_at: new Date(0) })
            .execute(),
        ),
    };
  }

  return {
    database: () => platform.database,
    mailServer,
    testDelivery,
    closeAfter: (close: () => Promise<void>) => void open.push(close),
  };
}
