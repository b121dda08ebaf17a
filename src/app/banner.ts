import type { Config } from "#platform/config.ts";
import type { Log } from "#platform/log.ts";
import { notSetUpTexts } from "./components/rules.ts";

export const demoAccounts = ["admin@demo.test", "artist@demo.test", "promoter@demo.test"] as const;
export const demoPassword = "demo-password";

/** Prints the addresses: of a demo as text, otherwise as lines of the log, at every level. */
export function printAddresses(config: Config, port: number, log: Log): void {
  const address = config.publicUrl.replace(/:0$/, `:${port}`);
  const lines =
    config.process === "worker"
      ? [`The Stagedoor worker is running (jobs and events). Health: http://${config.host}:${port}/readyz`]
      : [`Stagedoor is ready at ${address}`];
  if (config.demo && config.process !== "worker") lines.push(...demoLines(config, address));
  if (config.demo) {
    process.stdout.write(`\n${[...lines, "Stop with Ctrl+C."].join("\n  ")}\n\n`);
    return;
  }
  const always = log.child({}, { level: "info" });
  for (const line of lines) always.info(line);
  if (!config.smtpUrl) always.warn(notSetUpTexts.email);
  if (!config.stripe) always.warn(notSetUpTexts.cards);
}

function demoLines(config: Config, address: string): string[] {
  const accounts =
    config.seed === "demo" ? [`Sign in as ${demoAccounts.join(", ")} with the password ${demoPassword}`] : [];
  return [...accounts, `Emails and SMS: ${address}/dev/outbox`, `API: ${address}/api/docs`];
}
