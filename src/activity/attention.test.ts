import { sql } from "kysely";
import { expect, test } from "vitest";
import { verify } from "#app/admin/verify.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { testApp } from "#test/test-app.ts";
import { type AttentionKind, attentionKinds } from "./attention.views.ts";
import { moneyCaseKinds } from "./rules.ts";

const app = closeAfterFile(await testApp());
const admin = await app.signIn(await app.make.user({ role: "admin" }));

type Item = { kind: string; count: number; message: string; since: string | null; example: string | null };

const waiting = async () => {
  const response = await app.request("/api/admin/attention", { headers: admin });
  return ((await response.json()) as { items: Item[] }).items;
};
const moneyCases = async () => {
  const response = await app.request("/api/admin/money-cases", { headers: admin });
  return ((await response.json()) as { items: unknown[] }).items;
};
const failing = async () => (await verify(app.database.db)).filter(({ count }) => count > 0).map(({ check }) => check);
const run = (text: string) => sql.raw(text).execute(app.database.db);

const cases: Record<AttentionKind, { plant: () => Promise<unknown>; mend: () => Promise<unknown> }> = {
  event: {
    plant: () => run("insert into event_outbox (topic, body, dead_at) values ('booking.requested', '{}', now())"),
    mend: () => run("delete from event_outbox"),
  },
  provider_event: {
    plant: () =>
      run(`insert into provider_events (id, provider, type, payload, dead_at)
        values ('evt_1', 'stripe', 'charge.dispute.created', '{}', now())`),
    mend: () => run("delete from provider_events"),
  },
  esign_event: {
    plant: () =>
      run(`insert into provider_events (id, source, provider, type, payload, dead_at)
        values ('docuseal_1', 'signing', 'docuseal', 'form.completed', '{}', now())`),
    mend: () => run("delete from provider_events"),
  },
  backup: {
    plant: () =>
      run(`insert into backups (file, bytes, made_at, verified_at, failure) values
        ('old.tar', 1, now() - interval '9 days', now() - interval '9 days', null),
        ('new.tar', 1, now() - interval '1 hour', null, 'FAILED  the ledger has its sums')`),
    mend: () => run("insert into backups (file, bytes, made_at, verified_at) values ('next.tar', 1, now(), now())"),
  },
  contract: {
    plant: async () => {
      const booking = await app.make.booking({ status: "contract_sent" });
      await run(`update contracts set provider_alarm = 'another document' where booking_id = '${booking.id}'`);
    },
    mend: () => run("update contracts set provider_alarm = null"),
  },
  refund: {
    plant: async () => {
      await run(`insert into provider_charges (provider_payment, amount, currency, captured_at, recorded_as, why)
        values ('pi_1', 100, 'usd', now(), 'suspense', 'a test')`);
      await run(`insert into refunds (provider_payment, amount, currency, reason, cause_key, status)
        values ('pi_1', 100, 'usd', 'test', 'test', 'failed')`);
    },
    mend: async () => {
      await run("delete from refunds");
      await run("delete from provider_charges");
    },
  },
  payout: {
    plant: async () => {
      const booking = await app.make.booking({ status: "contract_signed" });
      await run(`insert into payouts (booking_id, artist_id, amount, currency, due_at, stuck_at, stuck_reason)
        values ('${booking.id}', '${booking.artist_id}', 100, 'usd', now(), now(), 'a test')`);
    },
    mend: () => run("delete from payouts"),
  },
  unreconciled: {
    plant: () =>
      run(`insert into unreconciled_items (kind, what, ref, amount, currency, occurred_at, first_seen_at)
        values ('payment', 'a test', 'pi_test', 100, 'usd', now(), now())`),
    mend: () => run("delete from unreconciled_items"),
  },
  document: {
    plant: () =>
      run(`insert into documents_due (group_id, posted_at, failed_at, failed_reason)
        values (gen_random_uuid(), now(), now(), 'a test')`),
    mend: () => run("delete from documents_due where failed_at is not null"),
  },
  no_show: {
    plant: async () => {
      const booking = await app.make.booking({ status: "contract_signed" });
      await run(
        `insert into no_show_reports (booking_id, reported_at, note) values ('${booking.id}', now(), 'a test')`,
      );
    },
    mend: () => run("delete from no_show_reports"),
  },
  objection: {
    plant: async () => {
      const booking = await app.make.booking({ status: "contract_signed" });
      await run(`insert into contract_objections (contract_id, side, reason, made_at)
        select id, 'promoter', 'a test', now() from contracts where booking_id = '${booking.id}'`);
    },
    mend: () => run("delete from contract_objections"),
  },
  dispute: {
    plant: async () => {
      await run(`insert into provider_charges (provider_payment, amount, currency, captured_at, recorded_as, why)
        values ('pi_2', 100, 'usd', now(), 'suspense', 'a test')`);
      await run(`insert into disputes (provider_ref, provider_payment, amount, currency, reason, status, opened_at, evidence_due_at)
        values ('du_1', 'pi_2', 100, 'usd', 'fraudulent', 'needs_response', now(), now() + interval '9 days')`);
    },
    mend: async () => {
      await run("delete from disputes");
      await run("delete from provider_charges");
    },
  },
  lost_dispute: {
    plant: async () => {
      const { id } = await app.make.booking({ status: "contract_signed" });
      await run(`insert into disputes (provider_ref, provider_payment, payment_id, booking_id, amount, currency, reason, status, opened_at, closed_at)
        select 'du_2', provider_payment, id, booking_id, amount, currency, 'fraudulent', 'lost', now(), now()
        from payments where booking_id = '${id}' and kind = 'deposit'`);
    },
    mend: () =>
      run(
        "update bookings set status = 'completed' where id in (select booking_id from disputes where status = 'lost')",
      ),
  },
  regained_dispute: {
    plant: async () => {
      const { id } = await app.make.booking({ status: "completed" });
      await run(`insert into disputes (provider_ref, provider_payment, payment_id, booking_id, amount, currency, reason, status,
          opened_at, closed_at, settled_at, withdrawn, from_artist, from_platform, regained, returned_at, returned_artist, returned_platform)
        select 'du_3', provider_payment, id, booking_id, 100, currency, 'fraudulent', 'won', now(), now(), now(), 100, 90, 10, 100, now(), 45, 5
        from payments where booking_id = '${id}' and kind = 'deposit'`);
    },
    mend: () => run("update disputes set regained = 50 where provider_ref = 'du_3'"),
  },
  unpayable_balance: {
    plant: async () => {
      const { id } = await app.make.booking({ status: "contract_signed" });
      await run(`update bookings set balance_unpayable_at = now(), balance_paid_at = null where id = '${id}'`);
    },
    mend: () => run("update bookings set status = 'canceled' where balance_unpayable_at is not null"),
  },
  same_name: {
    plant: async () => {
      for (const name of ["Électric Dreams", "electric dreams"]) await app.make.artist({ name });
      await app.make.artist({ name: "Electric Dreams", isActive: false });
    },
    mend: () => run("update artists set allowed_name = name_text where is_active and name_text = 'electric dreams'"),
  },
  email: {
    plant: () =>
      run(`insert into messages (channel, recipient, template, text, status)
        values ('email', 'a@example.test', 'contact_note', '', 'failed')`),
    mend: () => run("delete from messages where status = 'failed'"),
  },
  sender: {
    plant: () =>
      run(`insert into settings (scope, owner_id, value) values ('platform', '00000000-0000-0000-0000-000000000000',
        '{"fromEmail": "bookings@stagedoor.example", "senderDefaults": {
          "fromEmail": "bookings@venue.com", "replyToEmail": "help@venue.com", "supportEmail": "help@venue.com"}}')`),
    mend: () => run("update settings set value = value - 'fromEmail'"),
  },
  date: {
    plant: async () => {
      const booking = await app.make.booking({ status: "deposit_paid" });
      await run(`delete from date_reservations where booking_id = '${booking.id}'`);
    },
    mend: () => run("update bookings set status = 'canceled'"),
  },
  proxy: {
    plant: async () => {
      await app.request("/api/artists", { headers: { host: "stagedoor.example", "x-forwarded-for": "203.0.113.7" } });
      // The notice is written in parallel with the response.
      const noticed = async () => (await run("select 1 from operator_notices")).rows.length;
      await expect.poll(noticed, { interval: 10 }).toBe(1);
    },
    mend: () => run("delete from operator_notices"),
  },
  sms: {
    plant: () => run("insert into operator_notices (kind, first_at, last_at) values ('sms_codes', now(), now())"),
    mend: () => run("delete from operator_notices"),
  },
  file: {
    plant: async () => {
      const { id } = await app.make.user({ role: "artist" });
      await run(`insert into artist_files (name, user_id, kind, bytes, width, height, thumbhash)
        values ('${id}/photo_9.webp', '${id}', 'photo', 4, 1, 1, '')`);
      await run(`insert into missing_files (name, found_at) values ('artist-media/${id}/photo_9.webp', now())`);
    },
    mend: () => run("delete from artist_files where name like '%/photo_9.webp'"),
  },
  contract_copy: {
    plant: async () => {
      const booking = await app.make.booking({ status: "contract_sent" });
      await run(`update contracts set signed_status = 'signed', signed_at = now() - interval '11 minutes',
        document_hash = repeat('ab', 32) where booking_id = '${booking.id}'`);
    },
    mend: () => run("update contracts set signed_at = now()"),
  },
};

test("returns no case for a healthy installation", async () => {
  await app.make.booking({ status: "deposit_paid" });
  expect(await waiting()).toEqual([]);
  expect(await failing()).toEqual([]);
});

test("does not count messages to addresses that a visitor entered and did not confirm", async () => {
  await run(`insert into messages (channel, recipient, template, text, status)
    values ('email', 'mistyped@example.test', 'confirm_sign_up', '', 'failed')`);
  expect(await waiting()).toEqual([]);
  await run("delete from messages where status = 'failed'");
});

test("counts failed transfers and reversals as waiting payouts", async () => {
  const { id, artist_id } = await app.make.booking({ status: "contract_signed" });
  await run(`
    with p as (insert into payouts (booking_id, artist_id, amount, currency, due_at)
        values ('${id}', '${artist_id}', 100, 'usd', now()) returning id),
      t as (insert into transfers (payout_id, payment_id, provider_payment, amount, currency, status)
        select p.id, x.id, x.provider_payment, 100, 'usd', 'failed' from p, payments x where x.booking_id = '${id}' limit 1
        returning id)
    insert into transfer_reversals (transfer_id, amount, currency, reason, cause_key, status)
      select id, 10, 'usd', 'a test', 'a test', 'failed' from t`);
  expect(await waiting()).toMatchObject([{ kind: "payout", count: 2, example: id }]);
  await run("delete from transfer_reversals");
  await run("delete from transfers");
  await run("delete from payouts");
});

test.each(attentionKinds)("shows %s to admins, in the operator CLI's check and in the metrics", async (kind) => {
  await cases[kind].plant();
  const [item, ...more] = await waiting();
  expect(more).toEqual([]);
  expect(item).toMatchObject({ kind, count: 1, since: expect.any(String), example: expect.any(String) });
  expect(await failing()).toContain(`no ${item?.message}`);
  const figures = await (await app.request("/metrics")).text();
  expect(figures).toContain(`stagedoor_waiting_for_a_person{kind="${kind}"} 1`);
  const isListed = moneyCaseKinds.some((one) => one === kind);
  expect(await moneyCases()).toMatchObject(isListed ? [{ kind, ref: item?.example }] : []);
  await cases[kind].mend();
  expect(await waiting()).toEqual([]);
});
