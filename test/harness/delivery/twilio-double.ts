import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Server } from "node:net";

const listening = (server: { listen: Server["listen"] }) =>
  new Promise<number>((resolve) => {
    const bound = server.listen(0, "127.0.0.1", () => resolve((bound.address() as AddressInfo).port)) as Server;
  });

type Posted = { path: string | undefined; authorization: string | undefined; form: Record<string, string> };

/** Starts a server that speaks Twilio's form protocol on loopback. Returns what was posted to it, and the environment that names it. */
export async function twilioDouble(respond: () => { status: number; body: object }) {
  const posted: Posted[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const form = Object.fromEntries(new URLSearchParams(await bodyOf(request)));
    posted.push({ path: request.url, authorization: request.headers.authorization, form });
    const { status, body } = respond();
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
  const server = createServer((request, response) => {
    take(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  const port = await listening(server);
  const env = {
    TWILIO_ACCOUNT_SID: "AC123",
    TWILIO_AUTH_TOKEN: "token",
    TWILIO_FROM: "+15005550006",
    TWILIO_API_URL: `http://127.0.0.1:${port}`,
  };
  return { posted, env, close: () => new Promise<void>((resolve) => server.close(() => resolve())) };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of request) text += String(part);
  return text;
}
