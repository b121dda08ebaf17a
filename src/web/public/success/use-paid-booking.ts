import { useCallback, useEffect, useState } from "react";
import { posterUrl } from "#artists/rules.ts";
import { type PaymentStatus, paymentStatuses } from "#payments/rules.ts";
import { apiErrorOf } from "../../lib/api-error.ts";
import type { browserApi } from "../../lib/api/browser-api.ts";
import { bookingForm, clearDraft } from "../../lib/form-draft.ts";

export type Reply = Awaited<ReturnType<typeof browserApi.bookings.bySession>>;
type Found = Extract<Reply, { found: true }>;
export type PaidForOther = NonNullable<Extract<Reply, { found: false }>["payer"]>;

export type PaidBooking = Pick<Found, "booking" | "contract" | "viewer"> &
  Readonly<{
    payment: Found["payment"] & { status: PaymentStatus };
    artist: Found["artist"] & { picture_url: string };
    balance: number;
    automatic: Found["automatic_payment"];
  }>;

export type PaidState =
  | Readonly<{ phase: "asking" | "confirming" | "late" | "unknown" }>
  | Readonly<{ phase: "failed"; message: string; reference: string | undefined }>
  | Readonly<{ phase: "known"; paid: PaidBooking }>
  | Readonly<{ phase: "payer"; paid: PaidForOther }>;

/** The webhook usually arrives before the browser. Otherwise polls every 1.5 s for one minute. */
const pollMs = 1_500;
const maxPolls = 40;

/** Shows the state that the server rendered until the provider was queried. */
export function usePaidBooking(sessionId: string, rendered: PaidState): { state: PaidState; retry(): void } {
  const [state, setState] = useState(rendered);
  const [round, setRound] = useState(0);
  useEffect(() => {
    let open = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const poll = async (polls: number) => {
      const next = await readPaid(sessionId);
      if (!open) return;
      const waits = next.phase === "confirming";
      const shown = waits && polls >= maxPolls ? ({ phase: "late" } as const) : next;
      setState((before) => (shown.phase === "failed" && isFinal(before) ? before : shown));
      if (waits && polls < maxPolls) timer = setTimeout(() => void poll(polls + 1), pollMs);
    };
    void poll(0);
    return () => {
      open = false;
      clearTimeout(timer);
    };
  }, [sessionId, round]);
  const retry = useCallback(() => {
    setState({ phase: "asking" });
    setRound((before) => before + 1);
  }, []);
  return { state, retry };
}

const isFinal = (state: PaidState): boolean =>
  (state.phase === "known" || state.phase === "payer") &&
  (state.paid.payment.status === "succeeded" || state.paid.payment.status === "refunded");

/** Returns the state to show until the provider was queried: a declined payment may be paid since then. */
export function storedStateOf(reply: Reply): PaidState {
  const state = paidStateOf(reply);
  return state.phase === "unknown" || isFinal(state) ? state : { phase: "confirming" };
}

async function readPaid(sessionId: string): Promise<PaidState> {
  if (!sessionId) return { phase: "unknown" };
  try {
    const { browserApi } = await import("../../lib/api/browser-api.ts");
    const state = paidStateOf(await browserApi.bookings.bySession({ sessionId }));
    if (state.phase === "known" && state.paid.payment.status === "succeeded")
      clearDraft(bookingForm(state.paid.artist.slug));
    return state;
  } catch (error) {
    const { status, message, reference } = apiErrorOf(error);
    // Another user's session gets the same response as a missing one.
    return status === 404 || status === 401 || status === 400
      ? { phase: "unknown" }
      : { phase: "failed", message, reference };
  }
}

function paidStateOf(reply: Reply): PaidState {
  if (!reply.found) {
    if (!reply.payer) return { phase: "unknown" };
    return reply.payer.payment.status === "requires_payment_method"
      ? { phase: "confirming" }
      : { phase: "payer", paid: reply.payer };
  }
  const { payment, booking, artist } = reply;
  const status = isStatus(payment.status) ? payment.status : "requires_payment_method";
  if (status === "requires_payment_method") return { phase: "confirming" };
  return {
    phase: "known",
    paid: {
      payment: { ...payment, status },
      booking,
      contract: reply.contract,
      viewer: reply.viewer,
      artist: { ...artist, picture_url: posterUrl(artist) },
      balance: booking.balance_paid ? 0 : booking.balance_cents,
      automatic: reply.automatic_payment,
    },
  };
}

const isStatus = (text: string): text is PaymentStatus => Object.hasOwn(paymentStatuses, text);
