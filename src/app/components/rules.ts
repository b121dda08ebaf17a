export const componentNames = [
  "database",
  "replica",
  "files",
  "email",
  "sms",
  "cards",
  "signing",
  "calendars",
  "identity",
  "single_sign_on",
] as const;
export type ComponentName = (typeof componentNames)[number];

/** `untested`: configured, but neither tested nor used yet. */
export const componentStatuses = ["works", "slow", "failing", "not_set_up", "untested"] as const;
export type ComponentStatus = (typeof componentStatuses)[number];

export const componentLabels: Readonly<Record<ComponentName, string>> = {
  database: "Database",
  replica: "Database replica",
  files: "Files",
  email: "Email",
  sms: "Text messages",
  cards: "Card payments",
  signing: "Signing",
  calendars: "Calendars",
  identity: "Sign-in",
  single_sign_on: "Single sign-on",
};

const effects: Readonly<Record<ComponentName, string>> = {
  database: "Visitors see that the site is not available.",
  replica: "Visitors are not affected: public pages are read from the primary database.",
  files: "Visitors see no uploaded pictures, and uploads fail.",
  email:
    "Visitors get no emails for now. All emails are stored and retried for three days. Expired codes are not sent.",
  sms: "Visitors get no text messages for now. All text messages are stored and retried for three days. Expired codes are not sent.",
  cards: "Visitors cannot pay, and payouts are delayed.",
  signing: "New contracts are not sent for now. They are sent later.",
  calendars: "Nights that are booked elsewhere can appear free. The last imported entries still apply.",
  identity: "Users cannot sign in. Public pages still work.",
  single_sign_on: "Users cannot sign in with an organization's account. The other sign-in methods still work.",
};

export const notSetUpTexts: Readonly<Partial<Record<ComponentName, string>>> = {
  replica: "Public pages are read from the primary database.",
  email: "No emails are sent. Set SMTP_URL.",
  sms: "Codes and notifications are sent by email only. To send text messages, set the TWILIO_… settings.",
  cards: "Card payments are not available. Set STRIPE_SECRET_KEY.",
  single_sign_on: "Single sign-on is off. To offer it, set OIDC_ISSUER.",
};

/** `effect`: on visitors, if it is not that of a component that does not answer. */
export class ComponentFailure extends Error {
  readonly check: string;
  readonly details: string | undefined;
  readonly effect: string | undefined;
  constructor(message: string, check: string, details?: string, effect?: string) {
    super(message);
    this.check = check;
    this.details = details;
    this.effect = effect;
  }
}

export const describeFailure = (name: ComponentName, failed: string, check: string, effect = effects[name]): string =>
  [failed, effect, check].filter(Boolean).join(" ");

type Evidence = Readonly<{
  isSetUp: boolean;
  succeededAt: Date | null;
  failedAt: Date | null;
  tookMs: number | null;
  slowMs: number;
}>;

export function statusOf({ isSetUp, succeededAt, failedAt, tookMs, slowMs }: Evidence): ComponentStatus {
  if (!isSetUp) return "not_set_up";
  if (failedAt && (!succeededAt || failedAt > succeededAt)) return "failing";
  if (!succeededAt) return "untested";
  return tookMs !== null && tookMs > slowMs ? "slow" : "works";
}

export const latestOf = (...moments: readonly (Date | null | undefined)[]): Date | null =>
  moments.reduce<Date | null>((last, one) => (one && (!last || one > last) ? one : last), null);
