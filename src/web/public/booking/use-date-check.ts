import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { apiErrorOf } from "../../lib/api-error.ts";
import { type BookingText, withoutEmpty } from "./booking-form-validation.ts";

type Api = typeof import("../../lib/api/browser-api.ts").browserApi;

export type Check = Awaited<ReturnType<Api["bookings"]["check"]>>;

type Result = Readonly<{ question?: string; check?: Check | undefined; failed?: string | undefined }>;

export type RequestedTime = Pick<
  BookingText,
  "clientEmail" | "eventDate" | "eventTime" | "duration" | "eventLocation" | "eventType"
>;

/** Milliseconds from the last keystroke to a check, and between checks while the date is on hold. */
const restMs = 250;
const holdPollMs = 15_000;
/** Milliseconds from the end of a press to its click. After a tap the browser sends it a little later. */
const clickMs = 100;

/** Checks a request during input. `check` is the last result until the next one, without its night for another date or time. `failed` is why the last check has no result. */
export function useDateCheck(
  slug: string,
  request: RequestedTime,
): { check: Check | undefined; isCurrent: boolean; failed: string | undefined; recheck(): void } {
  const [result, setResult] = useState<Result>({});
  const latest = useRef(0);
  const afterPress = useAfterPress();
  const question = JSON.stringify(withoutEmpty(request));
  const fetchCheck = useCallback(async () => {
    const turn = ++latest.current;
    const values = JSON.parse(question) as Record<string, string>;
    try {
      const { browserApi } = await import("../../lib/api/browser-api.ts");
      const check = await browserApi.bookings.check({ artistId: slug, ...values });
      afterPress(() => turn === latest.current && setResult({ question, check }));
    } catch (error) {
      const { message: failed } = apiErrorOf(error);
      afterPress(() => turn === latest.current && setResult((before) => ({ ...keptOf(before, question), failed })));
    }
  }, [afterPress, slug, question]);
  useEffect(() => {
    const timer = setTimeout(() => void fetchCheck(), restMs);
    return () => clearTimeout(timer);
  }, [fetchCheck]);
  const held = result.check?.date.state === "held" || Boolean(result.check?.own_hold);
  useEffect(() => {
    if (!held) return;
    const timer = setInterval(() => void fetchCheck(), holdPollMs);
    return () => clearInterval(timer);
  }, [held, fetchCheck]);
  const isOfDay = result.question !== undefined && dayOf(result.question) === dayOf(question);
  const check = useMemo(
    () => (isOfDay || !result.check ? result.check : { ...result.check, date: { ...result.check.date, night: null } }),
    [isOfDay, result.check],
  );
  const isCurrent = isOfDay && result.failed === undefined;
  return { check, isCurrent, failed: result.failed, recheck: () => void fetchCheck() };
}

/** The same request that was free keeps its price and a checked consent, with which it is sent again. */
const keptOf = (before: Result, question: string): Result =>
  before.question === question && before.check?.date.state === "free" ? before : {};

const dayOf = (question: string): string => {
  const { eventDate, eventTime } = JSON.parse(question) as Partial<RequestedTime>;
  return `${eventDate} ${eventTime}`;
};

/** Delays a change of the page until a press has ended. It could move the pressed button away, and the browser would send no click. */
function useAfterPress(): (change: () => void) => void {
  const delayed = useRef<(() => void)[]>(undefined);
  useEffect(() => {
    const listening = new AbortController();
    const options = { capture: true, signal: listening.signal };
    const begin = ({ button }: PointerEvent) => {
      if (button === 0) delayed.current ??= [];
    };
    const end = () =>
      setTimeout(() => {
        const changes = delayed.current ?? [];
        delayed.current = undefined;
        for (const change of changes) change();
      }, clickMs);
    window.addEventListener("pointerdown", begin, options);
    window.addEventListener("pointerup", end, options);
    window.addEventListener("pointercancel", end, options);
    return () => listening.abort();
  }, []);
  return useCallback((change) => {
    if (delayed.current) delayed.current.push(change);
    else change();
  }, []);
}
