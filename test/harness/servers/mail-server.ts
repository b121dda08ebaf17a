import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

export type MailServer = { received: string[]; url: string; close(): Promise<void> };

/** Starts the server on a free port. `options` override its handlers, to refuse emails. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const received: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    onData: (stream, _session, done) => {
      let text = "";
      stream.setEncoding("utf8").on("data", (part: string) => (text += part));
      stream.on("end", () => {
        received.push(text);
        done();
      });
    },
    ...options,
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    received,
    url: `smtp://127.0.0.1:${port}`,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}
