/** The three ways of signing for one suite: built in, and at the doubles of DocuSeal and DocuSign. */

import { processEsignEvents, withdrawContracts } from "#bookings/contract/provider/jobs.ts";
import type { ContractSide } from "#contracts/rules.ts";
import { type Clock, systemClock } from "#platform/time/clock.ts";
import { testApp } from "../../test-app.ts";
import { contractRow, sentContract, signingCalls } from "../contracts.ts";
import { docusealDouble } from "./docuseal-double.ts";
import { docusignDouble } from "./docusign-double.ts";
import type { ServiceDouble, Webhook } from "./double.ts";

export const signingWays = ["embedded", "docuseal", "docusign"] as const;
export type SigningWay = (typeof signingWays)[number];
export const services = ["docuseal", "docusign"] as const;

export type Sent = Awaited<ReturnType<typeof sentContract>>;
export type Signing = Awaited<ReturnType<typeof signingWay>>;

/** Opens an app with this way of signing. Returns it with the test's actions. */
export async function signingWay(way: SigningWay, env: Record<string, string> = {}) {
  let clock: Clock = systemClock;
  const double = await doubleFor(way, () => clock.now());
  const app = await testApp({ env: { ESIGN_PROVIDER: way, ...double?.env, ...env } });
  clock = app.clock;
  const calls = signingCalls(app);
  const refOf = async (bookingId: string) => (await contractRow(app, bookingId)).provider_ref ?? "";
  const settle = async () => {
    await processEsignEvents(app.services);
    await withdrawContracts(app.services);
    await app.settle();
  };
  const deliver = (webhook: Webhook) =>
    app.request("/api/webhooks/esign", {
      body: webhook.body,
      headers: { "content-type": "application/json", ...webhook.headers },
    });
  const hear = async (bookingId: string) => {
    if (double) await deliver(double.webhook(await refOf(bookingId), app.clock.now()));
    await settle();
  };
  const tokenOf = (sent: Sent, side: ContractSide) => (side === "promoter" ? sent.promoter : sent.artist_token);
  return {
    app,
    double,
    refOf,
    settle,
    deliver,
    hear,
    sent: () => sentContract(app),
    sign: async (sent: Sent, side: ContractSide) => {
      if (double) double.sign(await refOf(sent.booking.id), side);
      else await calls.openAndSign(tokenOf(sent, side));
      await hear(sent.booking.id);
    },
    decline: async (sent: Sent, side: ContractSide, reason: string) => {
      if (double) double.decline(await refOf(sent.booking.id), side, reason);
      else {
        const key = tokenOf(sent, side);
        await calls.decline(key, (await calls.open(key)).body, reason);
      }
      await hear(sent.booking.id);
    },
    close: async () => {
      await app.close();
      await double?.close();
    },
  };
}

const doubleFor = async (way: SigningWay, now: () => Date): Promise<ServiceDouble | null> => {
  if (way === "docuseal") return docusealDouble(now);
  return way === "docusign" ? docusignDouble(now) : null;
};
