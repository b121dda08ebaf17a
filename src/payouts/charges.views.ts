import type { Reader } from "#platform/db/index.ts";

/** Returns a charge with what the provider's account received of it. Undefined if it is not recorded. */
export const findCharge = (reader: Reader, providerPayment: string) =>
  reader.selectFrom("provider_charges").selectAll().where("provider_payment", "=", providerPayment).executeTakeFirst();
