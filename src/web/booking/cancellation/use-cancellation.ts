import { useCallback, useEffect, useState } from "react";
import type { CancelCode } from "#bookings/rules.ts";
import { type ApiError, apiErrorOf } from "../../lib/api-error.ts";
import type { browserApi } from "../../lib/api/browser-api.ts";

/** The effects of canceling now, as JSON: times are ISO strings, amounts are cents. */
export type Figures = Awaited<ReturnType<(typeof browserApi)["bookings"]["cancellation"]>>;

const api = async () => (await import("../../lib/api/browser-api.ts")).browserApi;

export const isFigures = (detail: unknown): detail is Figures =>
  typeof detail === "object" && detail !== null && "refund_cents" in detail && "steps" in detail;

export const isCanceled = (detail: unknown): boolean =>
  typeof detail === "object" && detail !== null && "status" in detail && detail.status === "canceled";

/** Loads the amounts. `cancel` cancels with exactly them, or returns the error. After a conflict (409) it shows the new ones. */
export function useCancellation(id: string) {
  const [figures, setFigures] = useState<Figures>();
  const [error, setError] = useState<ApiError>();
  const [busy, setBusy] = useState(false);
  const read = useCallback(async () => setFigures(await (await api()).bookings.cancellation({ id })), [id]);
  const load = useCallback(async () => {
    setError(undefined);
    await read().catch((failure: unknown) => setError(apiErrorOf(failure)));
  }, [read]);
  useEffect(() => void load(), [load]);

  const cancel = async (code: CancelCode, note: string): Promise<ApiError | undefined> => {
    if (!figures) throw new Error("the amounts are not loaded");
    setBusy(true);
    setError(undefined);
    try {
      const expected_refund_cents = figures.refund_cents;
      await (await api()).bookings.cancel({ id, code, note: note || null, expected_refund_cents });
      return undefined;
    } catch (failure) {
      const refused = apiErrorOf(failure);
      if (isFigures(refused.detail)) setFigures(refused.detail);
      // The error already states why the amounts could not be used. Without amounts, the booking cannot be canceled any more.
      else if (refused.status === 409)
        await read().catch((failed: unknown) =>
          apiErrorOf(failed).status === 409 ? setFigures(undefined) : undefined,
        );
      setError(refused);
      return refused;
    } finally {
      setBusy(false);
    }
  };
  return { figures, error, busy, load, cancel };
}
