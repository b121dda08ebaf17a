/** Payouts through a provider's account that receives another currency than the bookings have. */

import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { releaseHeld } from "#payments/index.ts";
import { lockAccount } from "#payouts/accounts/accounts.store.ts";
import { syncAccount } from "#payouts/accounts/accounts.ts";
import { makeArtist } from "../factories/artists.ts";
import type { PaymentsHarness } from "./payments.ts";

export function settlementAt(app: () => PaymentsHarness) {
  const gateway = () => {
    const { gateway: provider } = app().services;
    if (!provider) throw new Error("the test has no provider");
    return provider;
  };

  /** Makes a paid deposit of $375, released to the artist less 10 % commission: $337.50. */
  async function released() {
    const { bookingId, paymentId } = await app().paid();
    const account = await gateway().retrieveAccount(`acct_demo_${randomUUID().replaceAll("-", "")}`);
    const artistId = await app().inTx(async (tx) => {
      const now = app().clock.now();
      const { id } = await makeArtist(tx, { name: `Act ${randomUUID()}` });
      await lockAccount(tx, id, now);
      await syncAccount(tx, { ...account, artistId: id }, now);
      await releaseHeld(tx, { bookingId, artistId: id, currency: "usd", commissionBps: 1_000, at: now });
      return id;
    });
    const { provider_payment: providerPayment } = await app().payment(paymentId);
    if (!providerPayment) throw new Error("the deposit was not paid");
    return { bookingId, artistId, paymentId, providerPayment };
  }

  /** Returns the balance of the provider's account and that of the ledger, in minor units per currency. */
  async function accountAndLedger() {
    const { rows } = await sql<{ currency: string; provider: number; ledger: number }>`
      select currency, sum(provider)::int as provider, sum(ledger)::int as ledger from (
        select body->>'currency' as currency, (body->>'net')::int as provider, 0 as ledger from sandbox_objects where kind = 'balance_transaction'
        union all select currency, 0, amount from ledger_entries where account = 'psp_clearing') s
      group by 1 having sum(provider) <> 0 or sum(ledger) <> 0`.execute(app().database.db);
    return rows;
  }

  const transfersOf = (bookingId: string) => gateway().findTransfers({ bookingId, charge: null });

  return { gateway, released, accountAndLedger, transfersOf };
}
