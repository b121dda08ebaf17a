import { checkoutMinutes } from "#payments/rules.ts";
import { formatMoney } from "#platform/money.rules.ts";
import { escapeHtml } from "#platform/pages/markup.ts";
import { staticPage } from "#platform/pages/static-page.ts";
import { laterBehaviours, laterField } from "./cards/card-objects.ts";
import type { StoredSession } from "./objects.ts";

export const page = (title: string, main: string, scripts: readonly string[] = []): string =>
  staticPage({ title, badge: "Sandbox, no real money", styles: ["/sandbox/checkout.css"], scripts, main });

export const actionButton = (action: string, label: string, look = "line") =>
  `<form method="post" action="${escapeHtml(action)}"><button class="btn wide ${look}">${escapeHtml(label)}</button></form>`;

export function checkoutPage({ session, wanted }: StoredSession, now: number, wasDeclined: boolean): string {
  const amount = formatMoney(wanted.amount, wanted.currency);
  // The provider closes the page a little later than displayed.
  const spareSeconds = (checkoutMinutes.expires - checkoutMinutes.shown) * 60;
  const secondsLeft = Math.max(0, session.expires_at - now - spareSeconds);
  const declined = wasDeclined
    ? `<p class="note cherry" role="alert" tabindex="-1" autofocus><strong>The bank declined this payment.</strong> Nothing was charged. You can try again.</p>`
    : "";
  return page(
    `${amount}: sandbox checkout`,
    `${declined}<div class="sheet checkout">
${poster(wanted)}<div class="what">
<p class="title">${escapeHtml(wanted.title)}</p>
<h1 class="amount">${escapeHtml(amount)}</h1>
<div class="note gold"><p>${remaining(wanted.metadata["kind"] === "deposit", secondsLeft)}</p><progress max="${checkoutMinutes.shown * 60}" value="${secondsLeft}" aria-hidden="true"></progress></div>
${about(detailsOf(wanted))}
<dl class="lines">${paidBy(wanted)}${bookingNumber(wanted)}</dl>
${actions(session.id, wanted, amount)}
</div></div>
<p class="small quiet">This is a test page. No card is charged.</p>`,
    ["/sandbox/countdown.js"],
  );
}

function actions(id: string, { notice, saveCard }: StoredSession["wanted"], amount: string): string {
  const choices = Object.entries(laterBehaviours)
    .map(([value, label]) => `<option value="${value}">${label}</option>`)
    .join("");
  const text = notice ?? (saveCard ? "The card is kept for later payments." : null);
  const beside = text === null ? "" : `<p class="small">${withLinks(text)}</p>`;
  const later = saveCard
    ? `<label class="later">When it is charged later, this card <select class="in" name="${laterField}" form="pay-${escapeHtml(id)}">${choices}</select></label>`
    : "";
  const form = `pay-${escapeHtml(id)}`;
  const confirming = `<button class="btn wide line" form="${form}" formaction="/sandbox/checkout/${escapeHtml(id)}/authenticate">Authenticate</button>`;
  const others = `<details class="others"><summary>Other answers of the bank</summary><p class="small quiet">This bank first asks the payer to confirm the payment.</p><div class="actions even">${confirming}</div></details>`;
  return `${beside}${later}<div class="actions even pays">${button(id, "pay", `Pay ${escapeHtml(amount)}`, "big", form)}${button(id, "decline", "Decline", "line big")}${button(id, "cancel", "Cancel", "line big")}</div>${others}`;
}

const withLinks = (text: string): string =>
  escapeHtml(text).replaceAll(
    /\[([^\]]+)\]\((https?:\/\/[^\s)]+)\)/g,
    (_link, label: string, url: string) => `<a href="${url}" target="_blank" rel="noopener">${label}</a>`,
  );

function paidBy({ metadata, email }: StoredSession["wanted"]): string {
  const payer = metadata["payer_name"] || email;
  return payer ? `<div><dt>Paid by</dt><dd>${escapeHtml(payer)}</dd></div>` : "";
}

const bookingNumber = ({ metadata }: StoredSession["wanted"]): string =>
  metadata["booking_number"] ? `<div><dt>Booking</dt><dd>${escapeHtml(metadata["booking_number"])}</dd></div>` : "";

function remaining(isDeposit: boolean, secondsLeft: number): string {
  const minutes = Math.max(1, Math.ceil(secondsLeft / 60));
  const text = `${minutes} more ${minutes === 1 ? "minute" : "minutes"}`;
  const left = `<span class="left" data-seconds-left="${secondsLeft}">${text}</span>`;
  return `<strong>${isDeposit ? "The date is held for you" : "This page is open"} for ${left}.</strong> After that you can no longer pay here.`;
}

function about(lines: readonly string[]): string {
  return lines.length === 0
    ? ""
    : `<div class="who">${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join("")}</div>`;
}

const poster = ({ images: [image] }: StoredSession["wanted"]): string =>
  image ? `<div class="stage"><img src="${escapeHtml(image)}" alt=""></div>` : "";

function detailsOf({ metadata, description }: StoredSession["wanted"]): string[] {
  const lines: string[] = [];
  for (let line = metadata["detail_1"]; line; line = metadata[`detail_${lines.length + 1}`]) lines.push(line);
  return lines.length > 0 ? lines : description ? [description] : [];
}

const button = (id: string, act: string, label: string, look = "line", formId = "") =>
  `<form method="post"${formId ? ` id="${formId}"` : ""} action="/sandbox/checkout/${escapeHtml(id)}/${act}"><button class="btn wide ${look}">${label}</button></form>`;

export function closedPage({ session, wanted }: StoredSession): string {
  const paid = session.status === "complete";
  const back = paid ? wanted.successUrl.replaceAll("{CHECKOUT_SESSION_ID}", session.id) : wanted.cancelUrl;
  const text = paid
    ? "This payment went through. You will not be charged again."
    : "Nothing was charged. Go back to start again.";
  const link = back
    ? `<a class="btn wide" href="${escapeHtml(back)}">${paid ? "Open the booking" : "Back to Stagedoor"}</a>`
    : "";
  const number = bookingNumber(wanted);
  // Only the first detail, the day of the event. The terms of the payment no longer matter.
  const what = `<p><strong>${escapeHtml(wanted.title)}, ${escapeHtml(formatMoney(wanted.amount, wanted.currency))}</strong></p>${about(detailsOf(wanted).slice(0, 1))}${number ? `<dl class="lines">${number}</dl>` : ""}`;
  return page(
    paid ? "Already paid" : "Checkout ended",
    `<h1>${paid ? "Already paid" : "This checkout has ended"}</h1><div class="sheet">${what}<p>${text}</p>${link}</div>`,
  );
}

export const lostPage = (): string =>
  page(
    "Not found",
    `<h1>No such checkout</h1><div class="sheet"><p>This address belongs to no payment page.</p></div>`,
  );
