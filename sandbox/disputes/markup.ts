import type Stripe from "stripe";
import { disputeReason } from "#disputes/reasons.rules.ts";
import { formatMoney } from "#platform/money.rules.ts";
import { escapeHtml } from "#platform/pages/markup.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { actionButton as button, page } from "../markup.ts";
import { isInquiry, isOver } from "./changes.ts";

export const openings = {
  fraudulent: { label: "Dispute as fraud", reason: "fraudulent", inquiry: false, half: false },
  service: { label: "Dispute: no show took place", reason: "product_not_received", inquiry: false, half: false },
  half: { label: "Dispute half of it", reason: "product_unacceptable", inquiry: false, half: true },
  inquiry: { label: "Ask first (inquiry)", reason: "unrecognized", inquiry: true, half: false },
} as const;

const states: Readonly<Record<string, string>> = {
  warning_needs_response: "The bank asks, and waits for an answer",
  warning_under_review: "The bank reads the answer",
  warning_closed: "The inquiry is closed",
  needs_response: "Open, waits for evidence",
  under_review: "The bank reads the evidence",
  won: "Won: the money has come back",
  lost: "Lost: the payer keeps the money",
};

export function paymentPage(
  charge: Stripe.Charge,
  { intent, disputes, back }: { intent: string; disputes: readonly Stripe.Dispute[]; back: string },
): string {
  const money = (amount: number) => escapeHtml(formatMoney(amount, charge.currency));
  const open = disputes.some((dispute) => !isOver(dispute) || dispute.status === "lost");
  const acts = Object.entries(openings).map(([name, { label }]) =>
    button(`${paths.sandboxPayment(intent)}/dispute/${name}`, label),
  );
  return page(
    "Payment: sandbox",
    `<h1 class="amount">${money(charge.amount)}</h1>
<div class="sheet">
<dl class="lines"><div><dt>Payment</dt><dd>${escapeHtml(intent)}</dd></div>
<div><dt>Refunded</dt><dd>${money(charge.amount_refunded)}</dd></div></dl>
${open ? "" : `<p>Here you are the payer's bank. What it does arrives at the platform as a signed webhook.</p><div class="actions even">${acts.join("")}</div>`}
</div>
${disputes.map((dispute) => disputeSheet(dispute, money(dispute.amount))).join("")}
<p class="small"><a class="btn wide line" href="${escapeHtml(back)}">Back to Stagedoor</a></p>
<p class="small quiet">This page stands in for the card provider and the payer's bank. Unanswered disputes are lost after nine days; answered ones are won after seven.</p>`,
  );
}

function disputeSheet(dispute: Stripe.Dispute, amount: string): string {
  const action = (name: string) => `/sandbox/dispute/${dispute.id}/${name}`;
  const [win, lose] = isInquiry(dispute)
    ? ["Close the inquiry", "Make it a dispute"]
    : ["Let it be won", "Let it be lost"];
  const acts = isOver(dispute)
    ? ""
    : `<div class="actions even">${button(action("win"), win)}${button(action("lose"), lose)}</div>`;
  return `<section class="sheet" aria-label="Dispute">
<dl class="lines"><div><dt>${isInquiry(dispute) ? "Inquiry" : "Dispute"}</dt><dd>${amount}</dd></div>
<div><dt>Reason</dt><dd>${escapeHtml(disputeReason(dispute.reason))}</dd></div>
<div><dt>State</dt><dd>${escapeHtml(states[dispute.status] ?? dispute.status)}</dd></div>
<div><dt>Evidence</dt><dd>${dispute.evidence_details.has_evidence ? "sent" : "none"}</dd></div></dl>
${acts}
</section>`;
}
