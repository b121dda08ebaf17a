import type { DeclineCode } from "#payments/rules.ts";
import type { Tx } from "#platform/db/index.ts";
import { type EmailContext, moneyOrNull } from "../emails/email-context.ts";
import { notifyParty } from "../emails/notify-party.ts";
import { makePayLink } from "../links/pay-links.ts";
import type { BalanceStep, BalancePlan } from "../rules/money/balance-plan.rules.ts";
import { balanceDueDay } from "../rules/money/due-day.rules.ts";
import { unpayableBalance } from "../rules/permissions.rules.ts";
import { findConsent } from "../stores/consent.store.ts";
import { plannedChargeForEmail } from "./automatic-payment.ts";

type Step = Readonly<{
  step: BalanceStep;
  /** The start of the round. It distinguishes rounds also after the contract was signed again. */
  startedAt: Date;
  dueDay: string | null;
  plan: BalancePlan;
  next: { step: BalanceStep; at: Date } | null;
  /** When the booking ends unpaid. Set once the show has begun, null if it does not end automatically. */
  begun: Readonly<{ endsAt: Date | null }> | null;
  automatic: { label: string; at: Date } | undefined;
}>;

const balanceOf = ({ booking }: EmailContext) => ({ amount: booking.balance_cents, currency: booking.currency });

/** The link pays only this balance, because the promoter may forward the email to the payer. */
const toPay = async (tx: Tx, context: EmailContext) => ({
  link: await makePayLink(tx, context, "balance"),
  due: balanceOf(context),
});

/** Of a balance that is requested although its charge was agreed: an end was proposed, a payment disputed or the date changed. */
const toPayAtDue = async (tx: Tx, context: EmailContext) => ({
  ...(await toPay(tx, context)),
  isNotCharged: (await findConsent(tx, context.booking.id))?.charge_id === null,
});

export async function notifyBalanceStep(tx: Tx, context: EmailContext, sent: Step): Promise<void> {
  const { step, startedAt, dueDay, automatic: charge } = sent;
  const key = `balance ${startedAt.toISOString()} ${step}`;
  if (step === "reminder" && charge)
    await notifyParty(tx, context, "promoter", {
      template: "balance_charge_planned",
      key,
      params: { due: balanceOf(context), card: charge.label, chargeAt: charge.at, timeZone: context.booking.time_zone },
    });
  else if (step === "reminder" && dueDay !== null)
    await notifyParty(tx, context, "promoter", {
      template: "balance_reminder",
      key,
      params: async () => ({ ...(await toPay(tx, context)), dueDay }),
    });
  else if (step === "reminder" || step === "due")
    await notifyParty(tx, context, "promoter", {
      template: "balance_due",
      key,
      params: async () => ({ ...(await toPayAtDue(tx, context)), dueDay, hasBegun: sent.begun !== null }),
    });
  else
    await notifyParty(tx, context, "promoter", {
      template: "balance_overdue",
      key,
      params: async () => ({
        ...(await toPayAtDue(tx, context)),
        timeZone: context.booking.time_zone,
        stage: step,
        begun: sent.begun,
        decisionAt: decisionAfter(sent),
      }),
    });
  if (step === "decision")
    await notifyParty(tx, context, "artist", {
      template: "balance_decision",
      key,
      params: { due: balanceOf(context) },
    });
}

function decisionAfter({ step, next, plan }: Step): Date | null {
  if (step === "decision") return null;
  return next?.step === "decision" ? next.at : (plan.steps.find((one) => one.step === "decision")?.at ?? null);
}

export const notifyChargeFailed = (tx: Tx, context: EmailContext, refused: { paymentId: string; why: DeclineCode }) =>
  notifyParty(tx, context, "promoter", {
    template: "balance_charge_failed",
    key: `declined ${refused.paymentId}`,
    params: async () => ({ ...(await toPay(tx, context)), why: refused.why }),
  });

/** Requests the balance of a played show once more from the promoter, and notifies the artist. `until`: when the booking ends unpaid. */
export async function notifyBalanceEnds(tx: Tx, context: EmailContext, until: Date): Promise<void> {
  const message = { template: "balance_ends", key: `balance ends ${until.toISOString()}` } as const;
  const about = { until, timeZone: context.booking.time_zone };
  await notifyParty(tx, context, "promoter", {
    ...message,
    params: async () => ({ ...about, ...(await toPay(tx, context)), side: "promoter" as const }),
  });
  await notifyParty(tx, context, "artist", {
    ...message,
    params: { ...about, due: balanceOf(context), side: "artist" },
  });
}

export const notifyBalanceExtended = (tx: Tx, context: EmailContext, extension: { startedAt: Date; dueDay: string }) =>
  notifyParty(tx, context, "promoter", {
    template: "balance_extended",
    key: `balance ${extension.startedAt.toISOString()} extended`,
    params: async () => ({ ...(await toPay(tx, context)), until: extension.dueDay }),
  });

/** Returns the open balance for each side, with the automatic charge for the promoter only, or the reason why it cannot be paid. */
export async function openBalanceOf(tx: Tx, context: EmailContext) {
  const { booking, services } = context;
  const now = services.clock.now();
  const isOpen = booking.balance_paid_at === null && booking.status !== "canceled" && booking.status !== "completed";
  const balance = isOpen ? moneyOrNull(context, booking.balance_cents) : null;
  const unpayable = unpayableBalance(booking, services.gateway !== null);
  if (unpayable) {
    const details = { balance, balanceDue: null, balanceUnpayable: unpayable, balanceCharge: null };
    return { promoter: details, artist: details };
  }
  const due = {
    balance,
    balanceDue: balanceDueDay(booking.event_date, booking.time_zone, now),
    balanceUnpayable: null,
  };
  return {
    promoter: { ...due, balanceCharge: await plannedChargeForEmail(tx, booking, now) },
    artist: { ...due, balanceCharge: null },
  };
}
