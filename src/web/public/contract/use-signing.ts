import { useCallback, useEffect, useState } from "react";
import type { EndedLink } from "#bookings/rules/ended-link.rules.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { apiErrorOf } from "../../lib/api-error.ts";
import { browserApi } from "../../lib/api/browser-api.ts";
import { startSession } from "../../lib/auth/session.ts";
import { toast } from "../../lib/toasts.ts";
import { incompleteLink } from "../incomplete-link.ts";

const load = async () => {
  await startSession();
  return browserApi.bookings.contract;
};

export type ContractResponse = Awaited<ReturnType<Awaited<ReturnType<typeof load>>["openContract"]>>;
export type SignatureGiven = Readonly<{ name: string; drawing: string | null; consent: boolean; code: string | null }>;

export type SignedBooking = Pick<ContractResponse, "booking_id" | "side">;

const endedLinkOf = (detail: unknown): EndedLink | undefined =>
  typeof detail === "object" && detail !== null && "booking_id" in detail && "side" in detail && "end" in detail
    ? (detail as EndedLink)
    : undefined;

const endTitles: Readonly<Record<EndedLink["end"], string>> = {
  canceled: "This booking is canceled",
  attested: "This contract is signed",
  signed: "This link has been used",
  expired: "This link has expired",
  used: "This link has been used",
};

export type SigningState =
  | Readonly<{ phase: "loading" }>
  /** The link is unknown or has ended, as the message states. A link that has ended still names its booking. */
  | Readonly<{ phase: "closed"; title: string; message: string; ended?: EndedLink | undefined }>
  | Readonly<{ phase: "failed"; message: string; reference: string | undefined }>
  | Readonly<{ phase: "open"; contract: ContractResponse }>
  | Readonly<{ phase: "declined"; refundCents: number; contract: ContractResponse }>;

/** Milliseconds. The PDF's address expires after ten minutes, so the page reloads the contract earlier. */
const refreshMs = 8 * minuteMs;

/** Opens the contract, and shows `rendered` until then. `actionsOf` returns the viewer's actions on it, which throw the server's error. */
export function useSigning(key: string, rendered: SigningState) {
  const [state, setState] = useState(rendered);
  const open = useCallback(async () => {
    const next = await openContract(key);
    setState((before) => (next.phase === "failed" && before.phase === "open" ? before : next));
  }, [key]);
  useEffect(() => {
    if (rendered.phase !== "closed") void open();
    const refresh = async () => {
      const next = await openContract(key);
      if (next.phase === "open") setState((before) => (before.phase === "open" ? next : before));
    };
    const timer = setInterval(() => void refresh(), refreshMs);
    return () => clearInterval(timer);
  }, [open, key, rendered.phase]);
  const retry = () => {
    setState({ phase: "loading" });
    void open();
  };
  const actionsOf = (contract: ContractResponse) => {
    const documentHash = contract.document?.sha256 ?? "";
    const show = (next: ContractResponse) => setState({ phase: "open", contract: next });
    /** Opens the contract again if it has changed or ended since (409, 410). */
    const orReopen = async <Result>(action: Promise<Result>): Promise<Result> => {
      try {
        return await action;
      } catch (error) {
        if ([409, 410].includes(apiErrorOf(error).status ?? 0)) void open();
        throw error;
      }
    };
    return {
      onSign: async (given: SignatureGiven) => {
        // The server rejects a missing consent with its reason.
        const signature = { ...given, consent: given.consent as true, documentHash };
        show(await orReopen((await load()).signContract({ key, ...signature })));
        toast({ title: "Signed", text: "Your signature is stored with the contract." });
      },
      onAccept: async () => {
        show(await orReopen((await load()).acceptContract({ key, consent: true, documentHash })));
        toast({ title: "Accepted", text: "Your acceptance is stored with the contract." });
      },
      onSendCode: async () => {
        const sent = await (await load()).sendSigningCode({ key });
        show({ ...contract, code: { sent } });
      },
      onDecline: async (reason: string) => {
        const decline = (await load()).declineContract({ key, reason, documentHash });
        const { refund_cents: refundCents } = await orReopen(decline);
        setState({ phase: "declined", refundCents, contract });
      },
      findLink: async () => (await (await load()).providerLink({ key })).url,
    };
  };
  return { state, retry, actionsOf };
}

export type SigningActions = ReturnType<ReturnType<typeof useSigning>["actionsOf"]>;

async function openContract(key: string): Promise<SigningState> {
  try {
    return { phase: "open", contract: await (await load()).openContract({ key }) };
  } catch (error) {
    return signingStateAfter(error);
  }
}

export function signingStateAfter(error: unknown): SigningState {
  const { status, message, reference, detail } = apiErrorOf(error);
  if (status === 410) {
    const ended = endedLinkOf(detail);
    return { phase: "closed", title: endTitles[ended?.end ?? "used"], message, ended };
  }
  if (status === 404) return { phase: "closed", title: "No contract here", message };
  if (status === 400) return { phase: "closed", title: "No contract here", message: incompleteLink };
  return { phase: "failed", message, reference };
}
