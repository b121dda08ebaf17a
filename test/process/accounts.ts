import { expect } from "vitest";

type At = Readonly<{ address: string }>;

export async function signUp(server: At, email: string): Promise<void> {
  const response = await fetch(`${server.address}/auth/v1/signup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password: "a quiet lamp backstage", data: { name: "Robin Vale" } }),
  });
  expect(response.status, await response.clone().text()).toBe(200);
}

export async function mailsTo(server: At, email: string): Promise<unknown[]> {
  const response = await fetch(`${server.address}/api/dev/outbox?to=${encodeURIComponent(email)}`);
  const body = (await response.json()) as unknown[];
  return body;
}

/** Signs up and verifies the mailbox by the email's link. Returns the authorization header. */
export async function openAccount(server: At, email: string): Promise<string> {
  await signUp(server, email);
  const emails = (await mailsTo(server, email)) as { text: string }[];
  const token_hash = /token_hash=([\w-]+)/.exec(emails[0]?.text ?? "")?.[1];
  const response = await fetch(`${server.address}/auth/v1/verify`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ type: "signup", token_hash }),
  });
  const { access_token } = (await response.json()) as { access_token: string };
  return `Bearer ${access_token}`;
}
