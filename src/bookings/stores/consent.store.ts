/** SQL of consents to the automatic charge of a balance. The caller locks the booking first. */

import type { Selectable } from "kysely";
import { updateById, type DB, type Reader, type Tx } from "#platform/db/index.ts";
import { type ConsentTerms, consentTextVersion } from "../rules/consent.rules.ts";

export type BalanceConsent = Selectable<DB["balance_consents"]>;

export type ConsentOrigin = Readonly<{ address: string; userAgent: string }>;

export const findConsent = (reader: Reader, bookingId: string): Promise<BalanceConsent | undefined> =>
  reader
    .selectFrom("balance_consents")
    .selectAll()
    .where("booking_id", "=", bookingId)
    .where("withdrawn_at", "is", null)
    .executeTakeFirst();

/** Returns the consent by which a charge was made. Undefined for a charge that its payer made. */
export const consentToCharge = (reader: Reader, providerPayment: string): Promise<BalanceConsent | undefined> =>
  reader
    .selectFrom("balance_consents")
    .selectAll()
    .where("charge_id", "=", (eb) =>
      eb.selectFrom("payments").select("id").where("provider_payment", "=", providerPayment),
    )
    .executeTakeFirst();

export const insertConsent = (
  tx: Tx,
  given: ConsentTerms & ConsentOrigin & { bookingId: string; text: string; now: Date },
) =>
  tx
    .insertInto("balance_consents")
    .values({
      booking_id: given.bookingId,
      text: given.text,
      text_version: consentTextVersion,
      amount_cents: given.amount,
      currency: given.currency,
      due_day: given.dueDay,
      given_at: given.now,
      address: given.address,
      user_agent: given.userAgent,
    })
    .execute();

export const endConsent = (tx: Tx, bookingId: string, by: "promoter" | "form" | "end", now: Date) =>
  tx
    .updateTable("balance_consents")
    .set({ withdrawn_at: now, withdrawn_by: by })
    .where("booking_id", "=", bookingId)
    .where("withdrawn_at", "is", null)
    .execute();

export const recordConsentCharge = (tx: Tx, consentId: string, paymentId: string) =>
  updateById(tx, "balance_consents", consentId, { charge_id: paymentId });
