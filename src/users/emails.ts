import { enqueueMessage, type TemplateFor, type TemplateName, type TemplateParams } from "#notifications/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { platformSettings } from "#settings/index.ts";
import { type ChangeKind, type Role, lifetimes } from "./rules.ts";

export type Recipients = { emails: readonly string[]; phones: readonly string[] };

type IssuedCode = { token: string; code: string };
type LinkType = "signup" | "magiclink" | "recovery" | "email_change";

const minutes = (seconds: number) => Math.round(seconds / 60);

/** The page whose button posts the token. Opening the link, as email scanners do, does not use it. */
const confirmLink = (site: string, type: LinkType, token: string): string =>
  `${site}${paths.confirm}?token_hash=${encodeURIComponent(token)}&type=${type}`;

const linkParams = (site: string, type: LinkType, { token }: IssuedCode, seconds: number) => ({
  link: confirmLink(site, type, token),
  minutes: minutes(seconds),
});

const linkAndCodeParams = (site: string, type: LinkType, issued: IssuedCode, seconds: number) => ({
  ...linkParams(site, type, issued, seconds),
  code: issued.code,
  codeMinutes: minutes(lifetimes.code),
});

const sendEmail = <T extends TemplateName>(
  tx: Tx,
  to: string,
  template: T,
  params: TemplateParams<T>,
  dedupeKey?: string,
) => enqueueMessage(tx, { template, channel: "email", to, params, dedupeKey });

export const sendConfirmSignUp = (tx: Tx, site: string, to: string, issued: IssuedCode) =>
  sendEmail(tx, to, "confirm_sign_up", linkAndCodeParams(site, "signup", issued, lifetimes.signupLink));

export const sendSignUpKnown = (tx: Tx, site: string, to: string) =>
  sendEmail(tx, to, "sign_up_known", { link: `${site}${paths.signIn}` });

export const sendRecovery = (tx: Tx, site: string, to: string, issued: IssuedCode) =>
  sendEmail(tx, to, "recovery", linkAndCodeParams(site, "recovery", issued, lifetimes.recoveryLink));

export const sendMagicLink = (tx: Tx, site: string, to: string, issued: IssuedCode) =>
  sendEmail(tx, to, "magic_link", linkAndCodeParams(site, "magiclink", issued, lifetimes.signInLink));

export const sendEmailChangeNew = (tx: Tx, site: string, to: string, issued: IssuedCode) =>
  sendEmail(tx, to, "email_change_new", linkParams(site, "email_change", issued, lifetimes.emailChangeLink));

export const sendEmailChangeOld = (tx: Tx, site: string, to: string, issued: IssuedCode, newEmail: string) =>
  sendEmail(tx, to, "email_change_old", {
    ...linkParams(site, "email_change", issued, lifetimes.emailChangeLink),
    newEmail,
  });

/** Sends to every address and number. Numbers are stored as digits without the plus sign. */
export async function sendToAll<T extends TemplateFor<"account">>(
  tx: Tx,
  to: Recipients,
  template: T,
  params: TemplateParams<T>,
): Promise<void> {
  for (const address of to.emails) await sendEmail(tx, address, template, params);
  for (const phone of to.phones) await enqueueMessage(tx, { template, channel: "sms", to: `+${phone}`, params });
}

export const sendReauthentication = (tx: Tx, to: string, { code }: IssuedCode) =>
  sendEmail(tx, to, "reauthentication", { code, minutes: minutes(lifetimes.code) });

export const sendPhoneCode = (tx: Tx, phone: string, { code }: IssuedCode) =>
  enqueueMessage(tx, {
    template: "one_time_code",
    channel: "sms",
    to: `+${phone}`,
    params: { code, minutes: minutes(lifetimes.code) },
  });

export const sendSessionStolen = (tx: Tx, site: string, to: string, device: string | null) =>
  sendEmail(tx, to, "session_stolen", { device, link: `${site}${paths.forgotPassword}` });

export const sendAccountChangeUndone = async (
  tx: Tx,
  site: string,
  to: Recipients,
  change: { undone: readonly ChangeKind[]; needsAdmin: boolean },
): Promise<void> =>
  sendToAll(tx, to, "account_change_undone", {
    ...change,
    link: `${site}${paths.forgotPassword}`,
    supportEmail: await supportEmail(tx),
  });

export const sendRoleChanged = (tx: Tx, site: string, to: string, name: string, role: Role) =>
  sendEmail(tx, to, "role_changed", { name, role, link: `${site}${paths.dashboard}` });

export const sendSuspended = async (tx: Tx, site: string, to: string, suspended: boolean) =>
  sendEmail(tx, to, "account_suspended", {
    suspended,
    supportEmail: await supportEmail(tx),
    link: `${site}${suspended ? paths.contact : paths.signIn}`,
  });

export const sendAccountDeleted = async (tx: Tx, to: string) =>
  sendEmail(tx, to, "account_deleted", { supportEmail: await supportEmail(tx) });

export const supportEmail = async (tx: Tx): Promise<string> => (await platformSettings(tx)).supportEmail;

export const sendAdminNotice = (tx: Tx, site: string, to: string, message: string) =>
  sendEmail(tx, to, "admin_notice", { message, link: `${site}${paths.admin.users}` });

export const sendRequestWaits = (
  tx: Tx,
  site: string,
  { to, dedupeKey, ...about }: { to: string; message: string; aboutAccount: boolean; dedupeKey: string },
) => sendEmail(tx, to, "request_waits", { ...about, link: `${site}${paths.admin.users}` }, dedupeKey);

export const sendAdminRequestRefused = (tx: Tx, site: string, to: string, name: string) =>
  sendEmail(tx, to, "admin_request_refused", { name, link: `${site}${paths.dashboard}` });

export const sendProfileClaimDecided = (
  tx: Tx,
  site: string,
  to: string,
  artistName: string,
  granted: boolean,
  note: string,
) => sendEmail(tx, to, "claim_decided", { artistName, granted, note, link: `${site}${paths.artistArea.overview}` });
