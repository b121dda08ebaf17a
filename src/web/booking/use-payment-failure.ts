import { useEffect, useEffectEvent } from "react";

/** Calls `onFailure` with the booking's id when a payment page in another tab could not open its checkout (public/pay/use-pay.ts). */
export function usePaymentFailure(onFailure: (bookingId: string) => void): void {
  const report = useEffectEvent(onFailure);
  useEffect(() => {
    const channel = new BroadcastChannel("stagedoor-pay");
    channel.onmessage = ({ data }: MessageEvent<{ failed: string }>) => report(data.failed);
    return () => channel.close();
  }, []);
}
