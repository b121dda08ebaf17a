import type { DeclineCode } from "#payments/rules.ts";
import type { Tx } from "#platform/db/index.ts";
import { makePayLink } from "../links/pay-links.ts";
import { type EmailContext, bookingDetailsForPromoter, bookingDetailsForArtist } from "../emails/email-context.ts";
import { notifyParty } from "../emails/notify-party.ts";
import type { BalanceStep, BalancePlan } from "../rules/balance-plan.rules.ts";

type Step = Readonly<{
  step: BalanceStep;
  round: number;
  dueDay: string | null;
  plan: BalancePlan;
  next: { step: BalanceStep; at: Date } | null;
  /** When the booking ends unpaid. Set once the show has begun, null if it does not end automatically. */
  begun: Readonly<{ endsAt: Date | null }> | null;
  automatic: { label: string; at: Date } | undefined;
}>;

const balanceOf = ({ booking }: EmailContext) => ({ amount: booking.balance_cents, currency: booking.currency });

/** The link pays only this balance, because the promoter may forward the email to the payer. */
const forPayer = async (tx: Tx, context: EmailContext) => ({
  ...bookingDetailsForPromoter(context, await makePayLink(tx, context, "balance")),
  due: balanceOf(context),
});

export async function notifyBalanceStep(tx: Tx, context: EmailContext, sent: Step): Promise<void> {
  const { step, round, dueDay, plan } = sent;
  const key = `balance ${round} ${step}`;
  const charge = sent.automatic;
  if (step === "reminder" && charge)
    return notifyParty(tx, context, "promoter", {
      template: "balance_charge_planned",
      key,
      params: () => ({
        ...bookingDetailsForPromoter(context),
        due: balanceOf(context),
        card: charge.label,
        chargeAt: charge.at,
        timeZone: context.booking.time_zone,
      }),
    });
  if (step === "reminder" && dueDay !== null)
    return notifyParty(tx, context, "promoter", {
      template: "balance_reminder",
      key,
      params: async () => ({ ...(await forPayer(tx, context)), dueDay }),
    });
  if (step === "reminder" || step === "due")
    return notifyParty(tx, context, "promoter", {
      template: "balance_due",
      key,
      params: async () => ({ ...(await forPayer(tx, context)), dueDay, hasBegun: sent.begun !== null }),
    });
  const decisionAt = plan.steps.find((one) => one.step === "decision")?.at ?? null;
  await notifyParty(tx, context, "promoter", {
    template: "balance_overdue",
    key,
    params: async () => ({
      ...(await forPayer(tx, context)),
      timeZone: context.booking.time_zone,
      stage: step,
      begun: sent.begun,
      decisionAt: step === "decision" ? null : sent.next?.step === "decision" ? sent.next.at : decisionAt,
    }),
  });
  if (step === "decision")
    await notifyParty(tx, context, "artist", {
      template: "balance_decision",
      key,
      params: () => ({
        ...bookingDetailsForArtist(context),
        due: balanceOf(context),
      }),
    });
}

export const notifyChargeFailed = (
  tx: Tx,
  context: EmailContext,
  refused: { paymentId: string; why: DeclineCode },
): Promise<void> =>
  notifyParty(tx, context, "promoter", {
    template: "balance_charge_failed",
    key: `declined ${refused.paymentId}`,
    params: async () => ({ ...(await forPayer(tx, context)), why: refused.why }),
  });

export const notifyBalanceExtended = (
  tx: Tx,
  context: EmailContext,
  extension: { round: number; dueDay: string },
): Promise<void> =>
  notifyParty(tx, context, "promoter", {
    template: "balance_extended",
    key: `balance ${extension.round} extended`,
    params: async () => ({ ...(await forPayer(tx, context)), until: extension.dueDay }),
  });
