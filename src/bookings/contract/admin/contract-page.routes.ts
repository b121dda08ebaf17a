import { implement } from "@orpc/server";
import { recordActivity } from "#activity/index.ts";
import { contractOf } from "#contracts/index.ts";
import { type ContractSide, sidesToSign } from "#contracts/rules.ts";
import type { Payments } from "#gateway/gateway.ts";
import { conflict } from "#platform/errors.ts";
import { type Context, requireActor } from "#platform/http/context.ts";
import { readingTimeOf } from "../../checkout/http.ts";
import { emailContextOf } from "../../emails/email-context.ts";
import { notifyContractReminder } from "../contract-emails.ts";
import { contractMissing, ensureDocumentOf } from "../signing/attestation.ts";
import { requireOpenBooking } from "../signing/signing.ts";
import { adminContractApi } from "./contract-page.api.ts";
import { readContractPage } from "./contract-page.views.ts";

const on = implement(adminContractApi).$context<Context<Payments>>();

const linksPerHour = 5;

export const adminContractRoutes = on.router({
  read: on.read.handler(async ({ input, context }) => {
    const bookingId = await ensureDocumentOf(context.services, input.id);
    const page = await readContractPage(context.db, bookingId, readingTimeOf(context));
    if (!page) throw contractMissing();
    return page;
  }),
  sendAgain: on.sendAgain.handler(async ({ input, context }) => {
    const { services } = context;
    const { name, userId } = requireActor(context);
    const bookingId = await ensureDocumentOf(services, input.id);
    const tooMany = "This contract was sent again several times in the last hour. Try again later.";
    await services.limits.hit(`contract sent again ${input.id}`, linksPerHour, 3_600, tooMany);
    return context.transaction(async (tx) => {
      const booking = await requireOpenBooking(tx, bookingId);
      const contract = await contractOf(tx, booking.id);
      const open = contract ? sidesToSign(contract) : [];
      if (booking.status !== "contract_sent" || contract?.status !== "sent" || open.length === 0)
        throw conflict("This contract does not need a signature.", {
          data: { signed_status: contract?.status ?? null },
        });
      const emails = await emailContextOf(tx, services, booking.id);
      const key = `sent again ${services.clock.now().toISOString()}`;
      const sentTo: ContractSide[] = [];
      for (const side of open) if (await notifyContractReminder(tx, emails, side, { key })) sentTo.push(side);
      if (sentTo.length === 0) throw conflict("We have no email address for this party.");
      const message = `${name} sent the contract of ${booking.number} again`;
      const meta = { to: sentTo.join(", ") };
      await recordActivity(tx, { type: "contract", refId: input.id, message, meta, actorId: userId });
      return { sent_to: sentTo };
    });
  }),
});
