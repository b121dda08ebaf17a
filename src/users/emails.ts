import type { Tx } from "#platform/db/index.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { enqueueMessage, type TemplateFor, type TemplateParams } from "#notifications/index.ts";
import { platformSettings } from "#settings/index.ts";
import { type ChangeKind, type Role, lifetimes } from "./rules.ts";

export type Recipients = { emails: readonly string[]; phones: readonly string[] };

type IssuedCode = { token: string; code: string };
export type LinkType = "signup" | "magiclink" | "recovery" | "email_change";

const minutes = (seconds: number) => Math.round(seconds / 60);

/** The page whose button posts the token. Opening the link, as email scanners do, does not use it. */
export const confirmLink = (site: string, type: LinkType, token: string): string =>
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

export const sendConfirmSignUp = (tx: Tx, site: string, to: string, issued: IssuedCode) =>
  enqueueMessage(tx, {
    template: "confirm_sign_up",
    channel: "email",
    to,
    params: linkAndCodeParams(site, "signup", issued, lifetimes.signupLink),
  });

export const sendSignUpKnown = (tx: Tx, site: string, to: string) =>
  enqueueMessage(tx, { template: "sign_up_known", channel: "email", to, params: { link: `${site}${paths.signIn}` } });

export const sendRecovery = (tx: Tx, site: string, to: string, issued: IssuedCode) =>
  enqueueMessage(tx, {
    template: "recovery",
    channel: "email",
    to,
    params: linkAndCodeParams(site, "recovery", issued, lifetimes.recoveryLink),
  });

export const sendMagicLink = (tx: Tx, site: string, to: string, issued: IssuedCode) =>
  enqueueMessage(tx, {
    template: "magic_link",
    channel: "email",
    to,
    params: linkAndCodeParams(site, "magiclink", issued, lifetimes.signInLink),
  });

export const sendEmailChangeNew = (tx: Tx, site: string, to: string, issued: IssuedCode) =>
  enqueueMessage(tx, {
    template: "email_change_new",
    channel: "email",
    to,
    params: linkParams(site, "email_change", issued, lifetimes.emailChangeLink),
  });

export const sendEmailChangeOld = (tx: Tx, site: string, to: string, issued: IssuedCode, newEmail: string) =>
  enqueueMessage(tx, {
    template: "email_change_old",
    channel: "email",
    to,
    params: { ...linkParams(site, "email_change", issued, lifetimes.emailChangeLink), newEmail },
  });

/** Sends to every address and number. Numbers are stored as digits without the plus sign. */
async function toEverybody<T extends TemplateFor<"account">>(
  tx: Tx,
  to: Recipients,
  template: T,
  params: TemplateParams<T>,
) {
  for (const email of to.emails) await enqueueMessage(tx, { template, channel: "email", to: email, params });
  for (const phone of to.phones) await enqueueMessage(tx, { template, channel: "sms", to: `+${phone}`, params });
}

export const sendEmailChanged = async (tx: Tx, to: Recipients, link: string, newEmail: string): Promise<void> =>
  toEverybody(tx, to, "email_changed", { newEmail, link, supportEmail: await supportEmail(tx) });

export const sendReauthentication = (tx: Tx, to: string, { code }: IssuedCode) =>
  enqueueMessage(tx, {
    template: "reauthentication",
    channel: "email",
    to,
    params: { code, minutes: minutes(lifetimes.code) },
  });

export const sendPhoneCode = (tx: Tx, phone: string, { code }: IssuedCode) =>
  enqueueMessage(tx, {
    template: "one_time_code",
    channel: "sms",
    to: `+${phone}`,
    params: { code, minutes: minutes(lifetimes.code) },
  });

/** `newPhone` is null if the number was removed. Numbers have no plus sign. */
export const sendPhoneChanged = async (tx: Tx, to: Recipients, link: string, newPhone: string | null): Promise<void> =>
  toEverybody(tx, to, "phone_changed", {
    ending: newPhone?.slice(-3) ?? null,
    link,
    supportEmail: await supportEmail(tx),
  });

export const sendPasswordChanged = (tx: Tx, to: Recipients, link: string): Promise<void> =>
  toEverybody(tx, to, "password_changed", { link });

export const sendSessionStolen = (tx: Tx, site: string, to: string, device: string | null) =>
  enqueueMessage(tx, {
    template: "session_stolen",
    channel: "email",
    to,
    params: { device, link: `${site}${paths.forgotPassword}` },
  });

/** `only`: it was the first second factor, or the last. */
export const sendSecondFactorChanged = (
  tx: Tx,
  to: Recipients,
  link: string,
  change: { added: boolean; only: boolean; passkey: boolean },
): Promise<void> => toEverybody(tx, to, "second_factor_changed", { ...change, link });

export const sendRecoveryCodesChanged = (tx: Tx, to: Recipients, link: string, made: boolean): Promise<void> =>
  toEverybody(tx, to, "recovery_codes_changed", { made, link });

export const sendIdentityAdded = (tx: Tx, to: Recipients, link: string, label: string): Promise<void> =>
  toEverybody(tx, to, "identity_added", { label, link });

export const sendAccountChangeUndone = async (
  tx: Tx,
  site: string,
  to: Recipients,
  change: { undone: readonly ChangeKind[]; needsAdmin: boolean },
): Promise<void> =>
  toEverybody(tx, to, "account_change_undone", {
    ...change,
    link: `${site}${paths.forgotPassword}`,
    supportEmail: await supportEmail(tx),
  });

export const sendRoleChanged = (tx: Tx, site: string, to: string, name: string, role: Role) =>
  enqueueMessage(tx, {
    template: "role_changed",
    channel: "email",
    to,
    params: { name, role, link: `${site}${paths.dashboard}` },
  });

export const sendSuspended = async (tx: Tx, site: string, to: string, suspended: boolean) =>
  enqueueMessage(tx, {
    template: "account_suspended",
    channel: "email",
    to,
    params: {
      suspended,
      supportEmail: await supportEmail(tx),
      link: `${site}${suspended ? paths.contact : paths.signIn}`,
    },
  });

const supportEmail = async (tx: Tx): Promise<string> => (await platformSettings(tx)).supportEmail;

export const sendAdminNotice = (tx: Tx, site: string, to: string, message: string) =>
  enqueueMessage(tx, {
    template: "admin_notice",
    channel: "email",
    to,
    params: { message, link: `${site}${paths.admin.users}` },
  });

export const sendRequestWaits = (
  tx: Tx,
  site: string,
  { to, dedupeKey, ...about }: { to: string; message: string; aboutAccount: boolean; dedupeKey: string },
) =>
  enqueueMessage(tx, {
    template: "request_waits",
    channel: "email",
    to,
    params: { ...about, link: `${site}${paths.admin.users}` },
    dedupeKey,
  });

/** Only for a declined request. A grant is notified as a change of role. */
export const sendAdminRequestRefused = (tx: Tx, site: string, to: string, name: string) =>
  enqueueMessage(tx, {
    template: "admin_request_refused",
    channel: "email",
    to,
    params: { name, link: `${site}${paths.dashboard}` },
  });

export const sendProfileClaimDecided = (
  tx: Tx,
  site: string,
  to: string,
  artistName: string,
  granted: boolean,
  note: string,
) =>
  enqueueMessage(tx, {
    template: "claim_decided",
    channel: "email",
    to,
    params: { artistName, granted, note, link: `${site}${paths.artistArea.overview}` },
  });
