import { type Payments, ProviderFailure } from "#gateway/gateway.ts";
import { Problem, invalid } from "#platform/errors.ts";
import { isCurrency } from "../rules/currencies.rules.ts";

/** Throws invalid input (400) if the provider's account does not receive this currency, because transfers in it would fail. */
export async function requireSettlementCurrency({ gateway, log }: Payments, currency: string): Promise<void> {
  // The settings' own rules refuse a currency that payments do not support.
  if (!gateway || !isCurrency(currency)) return;
  const settled = await gateway.fetchSettlementCurrencies().catch((error: unknown) => {
    if (!(error instanceof ProviderFailure)) throw error;
    log.error({ err: error }, "the settlement currencies could not be read");
    if (error.kind === "no_permission") throw refuse(error.message);
    throw refuse("Stripe did not confirm that your account receives money in this currency. Try again in a moment.");
  });
  if (settled.has(currency)) return;
  const code = currency.toUpperCase();
  const others = [...settled].filter(isCurrency).map((one) => one.toUpperCase());
  const choice = others.length === 0 ? "" : `, or choose ${others.toSorted().join(" or ")}`;
  throw refuse(
    `Your Stripe account does not receive money in ${code}, so payouts to artists would fail. Add a bank account in ${code} in the Stripe dashboard${choice}.`,
  );
}

const refuse = (message: string): Problem =>
  invalid(message, { data: { fields: [{ field: "values.currency", message }] } });
