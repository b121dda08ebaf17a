import { escapeHtml } from "#platform/pages/static-page.ts";
import { type AccountState, lastDigitsOf } from "./account-objects.ts";
import { actionButton as button, page } from "./markup.ts";

export function onboardingPage(link: string): string {
  const action = (name: string) => `/sandbox/onboarding/${link}/${name}`;
  return page(
    "Payment account: sandbox onboarding",
    `<h1>Set up payouts</h1>
<div class="sheet">
<p>The provider would now ask for a name, an address, an identity document and a bank account.</p>
<dl class="lines"><div><dt>Complete</dt><dd>Everything is filled in and checked; payouts can be made.</dd></div>
<div><dt>Leave pending</dt><dd>Come back later; something is still missing.</dd></div>
<div><dt>Restrict</dt><dd>The provider stops the account until a document is handed in.</dd></div></dl>
<div class="actions">${button(action("complete"), "Complete", "big")}${button(action("pending"), "Leave pending")}${button(action("restrict"), "Restrict")}</div>
</div>
<p class="small quiet">This page stands in for the payment provider. No bank account is asked for anywhere.</p>`,
  );
}

export const linkEndedPage = (refreshUrl: string): string =>
  page(
    "Link ended",
    `<h1>This link has ended</h1><div class="sheet"><p>An onboarding link works once, for five minutes.</p><a class="btn wide" href="${escapeHtml(refreshUrl)}">Back to Stagedoor</a></div>`,
  );

const stages: Record<AccountState["stage"], string> = {
  open: "Not filled in",
  completed: "Payouts can be made",
  restricted: "Stopped until a document is handed in",
  rejected: "Rejected for good",
  closed: "Closed",
};

export function dashboardPage(account: AccountState, backPath: string): string {
  const action = (name: string) => `/sandbox/account/${account.id}/${name}`;
  const digits = lastDigitsOf(account);
  const isOver = account.stage === "rejected" || account.stage === "closed";
  const stage =
    account.stage === "restricted"
      ? button(action("complete"), "Hand in the document")
      : button(action("restrict"), "Restrict");
  const buttons = isOver
    ? ""
    : `${button(action("bank"), "Change bank account", "big")}${account.stage === "completed" ? `${button(action("return"), "Return a payout")}${button(action("pay"), "Accept a payout")}` : ""}${stage}${button(action("reject"), "Reject for good")}${button(action("close"), "Close the account")}`;
  return page(
    "Payment account: sandbox dashboard",
    `<h1>Your payment account</h1>
<div class="sheet">
<dl class="lines"><div><dt>Account</dt><dd>${escapeHtml(account.id)}</dd></div>
<div><dt>State</dt><dd>${stages[account.stage]}</dd></div>
<div><dt>Bank account</dt><dd>${digits ? `ends in ${escapeHtml(digits)}` : "none"}</dd></div></dl>
<div class="actions">${buttons}<a class="btn wide line" href="${escapeHtml(backPath)}">Back to Stagedoor</a></div>
</div>
<p class="small quiet">This page stands in for the payment provider's own dashboard.</p>`,
  );
}
