import { sql } from "kysely";
import type Stripe from "stripe";
import type { Currency } from "#payments/rules.ts";
import { hasRow, json, rowsOf, type Tx } from "#platform/db/index.ts";
import type { AccountState, StoredLink } from "./account-objects.ts";
import {
  balanceOf,
  chargeOf,
  eventOf,
  intentOf,
  newId,
  refundOf,
  sessionOf,
  type StoredSession,
  type EventObject,
  type Wanted,
} from "./objects.ts";
import { converted, settlesIn } from "./settlement.ts";
import { transferBalanceOf, transferOf } from "./transfers/objects.ts";

export type Kinds = {
  "checkout.session": StoredSession;
  payment_intent: Stripe.PaymentIntent;
  charge: Stripe.Charge;
  balance_transaction: Stripe.BalanceTransaction;
  refund: Stripe.Refund;
  account: AccountState;
  account_link: StoredLink;
  transfer: Stripe.Transfer;
  customer: Stripe.Customer;
  payment_method: Stripe.PaymentMethod;
  dispute: Stripe.Dispute;
  file: Stripe.File;
};
export type Kind = keyof Kinds;

const fromSeconds = (epoch: number) => new Date(epoch * 1000);

/** Stores an object. `due`: the second at which it ends or is decided. */
export async function saveObject<K extends Kind>(tx: Tx, kind: K, body: Kinds[K], due: number | null = null) {
  const { id, created } = "wanted" in body ? body.wanted : body;
  const row = { body: json(body), due_at: due === null ? null : fromSeconds(due) };
  await tx
    .insertInto("sandbox_objects")
    .values({ id, kind, created_at: fromSeconds(created), ...row })
    .onConflict((on) => on.column("id").doUpdateSet(row))
    .execute();
}

/** Reads and locks an object. Objects of self-describing ids are made on demand. */
export async function find<K extends Kind>(tx: Tx, kind: K, id: string): Promise<Kinds[K] | undefined> {
  const row = await read(tx, kind, id);
  if (row) return row;
  return (await makeDescribed(tx, id)) ? read(tx, kind, id) : undefined;
}

async function read<K extends Kind>(tx: Tx, kind: K, id: string): Promise<Kinds[K] | undefined> {
  const row = await tx
    .selectFrom("sandbox_objects")
    .select("body")
    .where("id", "=", id)
    .where("kind", "=", kind)
    .forUpdate()
    .executeTakeFirst();
  return row?.body as Kinds[K] | undefined;
}

export async function findMany<K extends Kind>(
  tx: Tx,
  kind: K,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Kinds[K]>> {
  const found = new Map<string, Kinds[K]>();
  if (ids.length === 0) return found;
  const rows = await tx
    .selectFrom("sandbox_objects")
    .select(["id", "body"])
    .where("id", "in", ids)
    .where("kind", "=", kind)
    .execute();
  for (const { id, body } of rows) found.set(id, body as Kinds[K]);
  for (const id of ids) {
    const made = found.has(id) ? undefined : await find(tx, kind, id);
    if (made) found.set(id, made);
  }
  return found;
}

/** `equal`: fields of the object by their names. Null filters nothing. */
type Listing = {
  from?: number | null;
  to?: number | null;
  after?: string | null;
  limit: number;
  equal: Readonly<Record<string, string | null>>;
};

export async function list<K extends Kind>(tx: Tx, kind: K, want: Listing) {
  const { from = null, to = null, after = null, limit, equal } = want;
  const rows = await rowsOf<{ body: Kinds[K] }>(tx)`
    select o.body from sandbox_objects o left join sandbox_objects a on a.id = ${after}
    where o.kind = ${kind} and o.body @> jsonb_strip_nulls(${json(equal)})
      and (${from}::float8 is null or o.created_at >= to_timestamp(${from}))
      and (${to}::float8 is null or o.created_at <= to_timestamp(${to}))
      and (a.id is null or (o.created_at, o.id) < (a.created_at, a.id))
    order by o.created_at desc, o.id desc limit ${limit}`;
  return rows.map(({ body }) => body);
}

/** Enqueues an event about an object, in the transaction of its change. `account`: the connected account. */
export async function enqueueEvent(tx: Tx, type: string, object: EventObject, now: number, account?: string) {
  const event = eventOf(type, object, now, account);
  await tx
    .insertInto("sandbox_objects")
    .values({ id: event.id, kind: "event", body: json(event), created_at: fromSeconds(now), due_at: fromSeconds(now) })
    .execute();
}

const described = /^(?:cs|pi|ch|re)_demo_([a-z]{3})_(\d{1,8})_(\d{1,10})_([0-9a-f]{32})$/;

const describedAccount = /^acct_demo_\w{1,100}$/;

/** Makes an account of the demo market's past. Its id has the result of its onboarding, by default completed. */
async function makeDescribedAccount(tx: Tx, id: string): Promise<boolean> {
  const stage = id.startsWith("acct_demo_restricted_")
    ? "restricted"
    : id.startsWith("acct_demo_open_")
      ? "open"
      : "completed";
  await saveObject(tx, "account", { id, created: 0, metadata: {}, stage, bank: stage === "open" ? 0 : 1 });
  return true;
}

const uuidFrom = (hex: string) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

const describedTransfer = /^tr_demo_([a-z]{3})_(\d{1,8})_(\d{1,10})_([0-9a-f]{32})$/;

/** Makes a transfer of the demo market's past. Its id has currency, amount, second and our id. */
async function makeDescribedTransfer(tx: Tx, id: string): Promise<boolean> {
  const [, currency = "", amount = "", second = "", hex = ""] = describedTransfer.exec(id) ?? [];
  const transfer = transferOf({
    id,
    created: Number(second),
    amount: Number(amount),
    currency,
    destination: "acct_demo_completed",
    source_transaction: null,
    transfer_group: null,
    metadata: { installation: "sandbox", transfer_id: uuidFrom(hex) },
  });
  const balance = transferBalanceOf(transfer);
  await saveObject(tx, "balance_transaction", balance);
  await saveObject(tx, "transfer", transfer);
  return true;
}

/** Makes the objects of a payment from the demo market's past. Their ids have currency, amount, second and intent. */
async function makeDescribed(tx: Tx, id: string): Promise<boolean> {
  if (describedAccount.test(id)) return makeDescribedAccount(tx, id);
  if (describedTransfer.test(id)) return makeDescribedTransfer(tx, id);
  const match = described.exec(id);
  if (!match) return false;
  const [, currency = "", amount = "", second = "", hex = ""] = match;
  const tail = id.slice(id.indexOf("_demo_") + 6);
  const created = Number(second);
  const reference = uuidFrom(hex);
  // An id that begins with zeros is no payment of ours: it represents a payment on the account from elsewhere, without a mark.
  const metadata: Stripe.Metadata = hex.startsWith("00000000") ? {} : { installation: "sandbox", intent_id: reference };
  const wanted: Wanted = {
    id: `cs_demo_${tail}`,
    created,
    expiresAt: created + 1_860,
    amount: Number(amount),
    currency,
    title: "A payment of the demo market",
    description: null,
    images: [],
    email: null,
    reference,
    metadata,
    transferGroup: null,
    intentMetadata: metadata,
    successUrl: "http://localhost/",
    cancelUrl: null,
    notice: null,
    saveCard: false,
  };
  const paid = makePaid(intentOf(wanted, `pi_demo_${tail}`, created), `ch_demo_${tail}`, created, []);
  if (id.startsWith("re_")) {
    const refund = refundOf(paid.charge, { id, created, amount: wanted.amount, metadata: {} });
    await saveObject(tx, "balance_transaction", balanceOf(refund));
    await saveObject(tx, "refund", refund);
    Object.assign(paid.charge, { amount_refunded: refund.amount, refunded: true });
  }
  const session = {
    ...sessionOf(wanted),
    status: "complete" as const,
    payment_status: "paid" as const,
    payment_intent: paid.intent.id,
    url: null,
  };
  await saveObject(tx, "checkout.session", { session, wanted });
  await savePaid(tx, paid);
  return true;
}

type Paid = { intent: Stripe.PaymentIntent; charge: Stripe.Charge; balance: Stripe.BalanceTransaction };

export function makePaid(
  intent: Stripe.PaymentIntent,
  chargeId: string,
  now: number,
  received: readonly Currency[],
): Paid {
  const charge = chargeOf(intent, now, { id: chargeId, balance: newId("txn") });
  const paid: Stripe.PaymentIntent = {
    ...intent,
    status: "succeeded",
    amount_received: intent.amount,
    latest_charge: chargeId,
    last_payment_error: null,
  };
  const balance = converted(balanceOf(charge), settlesIn(received, charge.currency));
  return { intent: paid, charge, balance };
}

export async function savePaid(tx: Tx, paid: Paid): Promise<void> {
  await saveObject(tx, "balance_transaction", paid.balance);
  await saveObject(tx, "charge", paid.charge);
  await saveObject(tx, "payment_intent", paid.intent);
}

export async function inSettlementCurrency(tx: Tx, charge: Stripe.Charge, balance: Stripe.BalanceTransaction) {
  const chargeBalance = await find(tx, "balance_transaction", String(charge.balance_transaction));
  return converted(balance, chargeBalance?.currency ?? balance.currency);
}

/** Stores the sandbox's keys once and returns the stored ones. Adds keys that an older version did not have. */
export async function keepSecrets(tx: Tx, fresh: object): Promise<unknown> {
  await tx
    .insertInto("sandbox_objects")
    .values({ id: "secrets", kind: "secrets", body: json(fresh) })
    .onConflict((on) => on.column("id").doUpdateSet({ body: sql`excluded.body || sandbox_objects.body` }))
    .execute();
  const row = await tx
    .selectFrom("sandbox_objects")
    .select("body")
    .where("id", "=", "secrets")
    .executeTakeFirstOrThrow();
  return row.body;
}

export const forgetKey = (tx: Tx, key: string, before: Date) =>
  tx.deleteFrom("sandbox_requests").where("key", "=", key).where("created_at", "<", before).execute();

export const insertKey = (tx: Tx, key: string, fingerprint: string, at: Date) =>
  hasRow(tx)`
    insert into sandbox_requests (key, fingerprint, status, body, created_at)
    values (${key}, ${fingerprint}, 0, '{}', ${at}) on conflict (key) do nothing returning 1`;

export const saveResponse = (tx: Tx, key: string, response: { status: number; body: object }) =>
  tx
    .updateTable("sandbox_requests")
    .set({ status: response.status, body: json(response.body) })
    .where("key", "=", key)
    .execute();
