export const oidcPaths = { start: "/auth/v1/oidc/start", callback: "/auth/v1/oidc/callback" } as const;

const messages = {
  canceled: (label) => `The sign-in at ${label} was canceled. Nothing was changed.`,
  unreachable: (label) => `${label} does not answer. Try again in a few minutes, or sign in another way.`,
  expired: () => "This sign-in began in another browser, was already used or took too long. Start again.",
  clock: (label) =>
    `You are not signed in, because the clocks of this site and of ${label} differ. Tell the operator of this site.`,
  unverifiable: (label) =>
    `You are not signed in, because the answer of ${label} could not be verified. Tell the operator of this site.`,
  refused: (label) =>
    `You are not signed in, because ${label} refused the sign-in. Start again, or tell the operator of this site.`,
  client_refused: (label) =>
    `You are not signed in, because ${label} does not accept the client ID or the secret of this site. Tell the operator of this site.`,
  failed: () =>
    "You are not signed in, because something went wrong here. Start again, or tell the operator of this site.",
  unverified: (label) =>
    `You are not signed in, because ${label} has not verified your email address. Verify it there, or sign in another way.`,
  unusable_email: (label) =>
    `You are not signed in, because we cannot send emails to the address that ${label} reports. Change it there, or sign in another way.`,
  disconnected: (label) =>
    `This account at ${label} was disconnected from the account here. Sign in another way, or ask the operator of this site.`,
  suspended: () => "This account is suspended.",
  too_many: () => "There were too many sign-in attempts. Wait a few minutes and try again.",
} as const satisfies Record<string, (label: string) => string>;

export type OidcProblem = keyof typeof messages;

export const oidcProblemMessage = (problem: string | null, label: string): string | undefined =>
  problem !== null && Object.hasOwn(messages, problem) ? messages[problem as OidcProblem](label) : undefined;
