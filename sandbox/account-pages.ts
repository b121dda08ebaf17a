import type { FastifyInstance } from "fastify";
import type { Tx } from "#platform/db/index.ts";
import { escapeHtml } from "#platform/pages/markup.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { accountOf, type AccountState, payoutOf, lastDigitsOf } from "./account-objects.ts";
import { lostPage, actionButton as button, page } from "./markup.ts";
import { newId } from "./objects.ts";
import { type PageParts, sendAfterButton, sendPage } from "./page-reply.ts";
import { enqueueEvent, find, list, saveObject } from "./store.ts";

type Change = (account: AccountState) => AccountState;

const onboardingButtons: ReadonlyMap<string, Change> = new Map(
  Object.entries<Change>({
    complete: (account) => ({ ...account, stage: "completed", bank: Math.max(1, account.bank) }),
    pending: (account) => ({ ...account, stage: "open" }),
    restrict: (account) => ({ ...account, stage: "restricted", bank: Math.max(1, account.bank) }),
  }),
);

const dashboardButtons: ReadonlyMap<string, Change> = new Map(
  Object.entries<Change>({
    bank: (account) => ({ ...account, bank: account.bank + 1 }),
    complete: (account) => ({ ...account, stage: "completed" }),
    restrict: (account) => ({ ...account, stage: "restricted" }),
    reject: (account) => ({ ...account, stage: "rejected" }),
    close: (account) => ({ ...account, stage: "closed" }),
  }),
);

export const accountPages = (parts: PageParts) => async (app: FastifyInstance) => {
  const { database } = parts;
  app.get<{ Params: { id: string } }>("/sandbox/onboarding/:id", async ({ params: { id } }, reply) => {
    const link = await database.transaction((tx) => find(tx, "account_link", id));
    if (!link) return sendPage(reply.code(404), lostPage(), []);
    const ended = link.used || link.expiresAt <= parts.now();
    return sendPage(reply, ended ? linkEndedPage(link.refreshUrl) : onboardingPage(id), [link.returnUrl]);
  });

  app.post<{ Params: { id: string; button: string } }>(
    "/sandbox/onboarding/:id/:button",
    async ({ params: { id, button } }, reply) => {
      const target = await database.transaction((tx) => submit(tx, parts, id, onboardingButtons.get(button)));
      return sendAfterButton(reply, parts, target);
    },
  );

  app.get<{ Params: { id: string } }>("/sandbox/account/:id", async ({ params: { id } }, reply) => {
    const account = await database.transaction((tx) => find(tx, "account", id));
    if (!account) return sendPage(reply.code(404), lostPage(), []);
    return sendPage(reply, dashboardPage(account, paths.artistArea.payouts), []);
  });

  app.post<{ Params: { id: string; button: string } }>(
    "/sandbox/account/:id/:button",
    async ({ params: { id, button } }, reply) => {
      if (button === "return" || button === "pay") {
        const status = button === "pay" ? "paid" : "failed";
        const known = await database.transaction((tx) => endPayout(tx, parts, id, status));
        return sendAfterButton(reply, parts, known ? `/sandbox/account/${id}` : undefined);
      }
      const change = dashboardButtons.get(button);
      const known = await database.transaction(async (tx) => {
        const account = change && (await find(tx, "account", id));
        const isOver = account?.stage === "rejected" || account?.stage === "closed";
        if (account && !isOver) await update(tx, parts, change(account), account.bank);
        return account !== undefined;
      });
      return sendAfterButton(reply, parts, known ? `/sandbox/account/${id}` : undefined);
    },
  );
};

/** Consumes the link. An expired one redirects to the address that makes a new one. */
async function submit(tx: Tx, parts: PageParts, id: string, change: Change | undefined): Promise<string | undefined> {
  const link = change && (await find(tx, "account_link", id));
  const account = link && (await find(tx, "account", link.account));
  if (!change || !account) return undefined;
  if (link.used || link.expiresAt <= parts.now()) return link.refreshUrl;
  await saveObject(tx, "account_link", { ...link, used: true });
  await update(tx, parts, change(account), account.bank);
  return link.returnUrl;
}

/** The bank returns or accepts a payout of the last transfer to the account, or of 100 dollars without one. Returns false if there is no open account with a bank. */
async function endPayout(tx: Tx, parts: PageParts, id: string, status: "failed" | "paid"): Promise<boolean> {
  const account = await find(tx, "account", id);
  if (account?.stage !== "completed" || account.bank === 0) return false;
  const created = parts.now();
  const [transfer] = await list(tx, "transfer", { limit: 1, equal: { destination: id } });
  const { amount, currency } = transfer ?? { amount: 10_000, currency: "usd" };
  const payout = payoutOf(account, { id: newId("po"), created, status, amount, currency });
  await enqueueEvent(tx, `payout.${status}`, payout, created, id);
  return true;
}

async function update(tx: Tx, parts: PageParts, account: AccountState, bankBefore: number): Promise<void> {
  const now = parts.now();
  await saveObject(tx, "account", account);
  const shown = accountOf(account);
  const bank = shown.external_accounts?.data[0];
  if (bank && account.bank !== bankBefore)
    await enqueueEvent(tx, "account.external_account.updated", bank, now, account.id);
  await enqueueEvent(tx, "account.updated", shown, now, account.id);
}

export function onboardingPage(link: string): string {
  const action = (name: string) => `/sandbox/onboarding/${link}/${name}`;
  return page(
    "Payment account: sandbox onboarding",
    `<h1>Set up payouts</h1>
<div class="sheet">
<p>The provider would now ask for a name, an address, an identity document and a bank account.</p>
<dl class="lines"><div><dt>Complete</dt><dd>All information is complete. Payouts can be made.</dd></div>
<div><dt>Leave pending</dt><dd>Some information is still missing.</dd></div>
<div><dt>Restrict</dt><dd>The provider stops the account until a document is provided.</dd></div></dl>
<div class="actions">${button(action("complete"), "Complete", "big")}${button(action("pending"), "Leave pending")}${button(action("restrict"), "Restrict")}</div>
</div>
<p class="small quiet">This page stands in for the payment provider. It does not need a bank account.</p>`,
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
