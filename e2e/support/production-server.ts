/** A second server for tests that demo mode cannot run: an empty market in production mode, with real mail to a mailbox of the test. */
import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import { expect } from "./browser.ts";

export type Mail = { to: string; subject: string; text: string; html: string };

export type ProductionServer = {
  url: string;
  /** What `npm run admin` prints for these words. */
  console(...words: string[]): Promise<string>;
  /** The newest mail to an address with this subject; waits for it. */
  mail(to: string, subject: string): Promise<Mail>;
  close(): Promise<void>;
};

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

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

/** Starts the server; it takes some seconds. */
export async function startProductionServer(): Promise<ProductionServer> {
  const [port, mailbox, folder] = [
    await freePort(),
    await openMailbox(),
    await mkdtemp(path.join(tmpdir(), "stagedoor-server-")),
  ];
  const env = {
    ...process.env,
    NODE_ENV: "production",
    PORT: String(port),
    DATA_DIR: path.join(folder, "data"),
    DEMO: "0",
    SEED: "none",
    SMTP_URL: mailbox.url,
    RATE_LIMITS: "off",
    LOG_LEVEL: "error",
  };
  const url = `http://localhost:${port}`;
  const server = spawn(process.execPath, ["src/app/main.ts"], { env, stdio: ["ignore", "ignore", "inherit"] });
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  await expect
    .poll(
      async () =>
        fetch(`${url}/readyz`).then(
          (answer) => answer.status,
          () => 0,
        ),
      { timeout: 150_000 },
    )
    .toBe(200);
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
      server.kill("SIGTERM");
      await ended;
      await mailbox.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
