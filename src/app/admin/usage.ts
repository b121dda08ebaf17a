/** How the operator's commands are called, and what they do. `args` in brackets may be left out. No command has more than one argument, except with "…". */
type Usage = Readonly<{ call: string; args?: string; purpose: string }>;

const usages: Readonly<Record<string, Usage>> = {
  "make-admin": {
    call: "admin -- make-admin",
    args: "EMAIL",
    purpose: "gives the user with this verified email address the role admin",
  },
  "first-admin": {
    call: "admin -- first-admin",
    purpose: "prints a one-time token, valid for an hour, that makes the signed-in user an admin",
  },
  "rotate-keys": {
    call: "admin -- rotate-keys",
    purpose: "rotates the key that signs access tokens; no user is signed out",
  },
  verify: {
    call: "admin -- verify",
    args: "[LINK …]",
    purpose: "checks the ledger, the dates, the events and the log; fails if a check fails",
  },
  components: {
    call: "admin -- components",
    purpose: "tests database, files, email and every other component; fails if one of them fails",
  },
  dump: { call: "db:dump --", args: "[FILE]", purpose: "writes the whole database as SQL for PostgreSQL 15 or later" },
  backup: {
    call: "backup --",
    args: "FILE",
    purpose: "writes database and files into one archive that only its owner can read",
  },
  "backup verify": {
    call: "backup -- verify",
    args: "FILE",
    purpose: "restores an archive into a temporary folder and checks it; works without a server",
  },
  restore: { call: "restore --", args: "FILE", purpose: "restores an archive into an empty DATA_DIR or DATABASE_URL" },
  "missing-files": {
    call: "admin -- missing-files",
    args: "[accept]",
    purpose: "lists uploaded files that the store lacks; with accept, no backup or check reports them again",
  },
  "copy-files": {
    call: "admin -- copy-files",
    args: "to-bucket",
    purpose: "copies uploaded files from DATA_DIR/files to the bucket, or back with to-folder; can be run again",
  },
  export: {
    call: "admin -- export",
    args: "[FILE]",
    purpose: "writes users, artists, bookings, contracts, payments and the ledger as JSON lines, without secrets",
  },
  "verify-contract": {
    call: "admin -- verify-contract",
    args: "FILE",
    purpose: "checks the signature, the evidence and the fingerprint of a signed contract; works without a server",
  },
};

const callOf = ({ call, args }: Usage) => (args ? `npm run ${call} ${args}` : `npm run ${call}`);

export const commandHelp = (): string =>
  `Commands:\n${Object.values(usages)
    .map((usage) => `  ${callOf(usage).padEnd(48)} ${usage.purpose}\n`)
    .join("")}`;

/** Returns the text to print instead of running a command: its help, or what is wrong with its arguments. Null if it can be run. */
export function usageReply(words: readonly string[]): { text: string; failed: boolean } | null {
  const [first = "help", second] = words;
  const asksForHelp = first === "help" || words.some((word) => word === "--help" || word === "-h");
  const name = first === "backup" && second === "verify" ? "backup verify" : first;
  const usage = Object.hasOwn(usages, name) ? usages[name] : undefined;
  if (!usage) {
    const unknown = asksForHelp ? "" : `There is no command "${first}".\n`;
    return { text: `${unknown}${commandHelp()}`, failed: !asksForHelp };
  }
  const { args = "", purpose } = usage;
  if (asksForHelp) return { text: `${callOf(usage)}\n  ${purpose}\n`, failed: false };
  const given = words.slice(name.split(" ").length);
  const most = args === "" ? 0 : args.includes("…") ? Infinity : 1;
  const option = given.find((word) => /^-./.test(word));
  const wrong =
    option !== undefined
      ? `There is no option ${option}.`
      : given.length > most
        ? `Too many arguments: ${given.slice(most).join(" ")}.`
        : given.length === 0 && /^[^[]/.test(args)
          ? `${args} is missing.`
          : null;
  return wrong === null ? null : { text: `${wrong} Use: ${callOf(usage)}\n`, failed: true };
}
