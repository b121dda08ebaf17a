/** A second server for tests that demo mode cannot run: an empty market in production mode, with SMTP to a mailbox of the test. */

import { execFile } from "node:child_process";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { expect } from "@playwright/test";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import { startServer } from "./server.ts";

export type Mail = { to: string; subject: string; text: string; html: string };

export type ProductionServer = {
  url: string;
  /** Returns the output of `npm run admin` with these arguments. */
  console(...words: string[]): Promise<string>;
  /** Waits for the newest email to an address with this subject. */
  mail(to: string, subject: string): Promise<Mail>;
  close(): Promise<void>;
};

async function openMailbox() {
  const arrived: { to: string; raw: Buffer }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    onData: (stream, session, done) => {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        arrived.unshift({ to: session.envelope.rcptTo.map((one) => one.address).join(" "), raw: Buffer.concat(parts) });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    find: async (wanted: string, title: string): Promise<Mail | undefined> => {
      for (const { to, raw } of arrived.filter((one) => one.to === wanted)) {
        const { subject = "", text = "", html = "" } = await PostalMime.parse(raw);
        if (subject === title) return { to, subject, text, html };
      }
      return undefined;
    },
    url: `smtp://127.0.0.1:${port}`,
    close: () => new Promise<void>((end) => server.close(end)),
  };
}

export async function startProductionServer(): Promise<ProductionServer> {
  const mailbox = await openMailbox();
  const { url, env, close } = await startServer("empty", { DEMO: "0", SMTP_URL: mailbox.url });
  return {
    url,
    console: async (...words) =>
      (await promisify(execFile)(process.execPath, ["src/app/admin/main.ts", ...words], { env })).stdout,
    mail: async (to, subject) => {
      await expect
        .poll(() => mailbox.find(to, subject), { message: `a mail "${subject}" to ${to}`, timeout: 30_000 })
        .toBeTruthy();
      const found = await mailbox.find(to, subject);
      if (!found) throw new Error(`no mail to ${to}`);
      return found;
    },
    close: async () => {
      await close();
      await mailbox.close();
    },
  };
}
