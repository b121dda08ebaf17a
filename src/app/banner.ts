import type { Config } from "#platform/config.ts";
import { notSetUpTexts } from "./components/rules.ts";

export const demoAccounts = ["admin@demo.test", "artist@demo.test", "promoter@demo.test"] as const;
export const demoPassword = "demo-password";

export function printAddresses(config: Config, port: number): void {
  const address = config.publicUrl.replace(/:0$/, `:${port}`);
  const lines =
    config.process === "worker"
      ? [`The Stagedoor worker is running (jobs and events). Health: http://${config.host}:${port}/readyz`]
      : [`Stagedoor is ready at ${address}`];
  if (config.demo && config.process !== "worker") lines.push(...demoLines(config, address));
  if (!config.demo && !config.smtpUrl) lines.push(`  ${notSetUpTexts.email}`);
  if (!config.demo && !config.stripe) lines.push(`  ${notSetUpTexts.cards}`);
  process.stdout.write(`\n${lines.join("\n")}\n\n`);
}

function demoLines(config: Config, address: string): string[] {
  const accounts =
    config.seed === "demo" ? [`  Sign in as ${demoAccounts.join(", ")}`, `  with the password ${demoPassword}`] : [];
  return [...accounts, `  Emails and SMS: ${address}/dev/outbox`, `  API: ${address}/api/docs`, "  Stop with Ctrl+C."];
}
