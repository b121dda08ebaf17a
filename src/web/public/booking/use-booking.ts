import { type RefObject, type SubmitEvent, useEffect, useRef, useState } from "react";
import type { FormField } from "#bookings/rules.ts";
import { isDay } from "#platform/time/calendar.rules.ts";
import { writtenDay } from "#platform/time/typed-day.rules.ts";
import type { BookingDefaults } from "#settings/api.ts";
import { focusFirstInvalid, type ValidationMessages } from "../../lib/form-validation.ts";
import { apiErrorOf } from "../../lib/api-error.ts";
import { leaveFor } from "../../lib/leave-site.ts";
import { closeErrors, toast } from "../../lib/toasts.ts";
import { bookingBody, bookingText, checkBooking } from "./booking-form-validation.ts";
import { clearDraft, restoreDraft, saveDraft } from "./form-draft.ts";
import type { SearchedDate } from "../searched-date.ts";
import type { SentBooking } from "./booking-thanks.tsx";
import { type Check, useCheck, type RequestedTime } from "./use-date-check.ts";

export type BookingState = Readonly<{
  request: RequestedTime;
  check: Check | undefined;
  failed: string | undefined;
  wrong: ValidationMessages<FormField>;
  busy: boolean;
  choose(request: { date: string; time?: string }): void;
  follow(): void;
  recheck(): void;
  send(event: SubmitEvent<HTMLFormElement>): Promise<void>;
}>;

export function useBooking(
  form: RefObject<HTMLFormElement | null>,
  slug: string,
  { date = "", town }: SearchedDate,
  onSent: (booking: SentBooking) => void,
): BookingState {
  const [request, setRequest] = useState<RequestedTime>({
    clientEmail: "",
    eventDate: date,
    eventTime: "",
    duration: "",
    eventLocation: "",
    eventType: "",
  });
  const [wrong, setWrong] = useState<ValidationMessages<FormField>>({});
  const { check, failed, recheck } = useCheck(slug, request);
  useEffect(() => writeDate(request.eventDate), [request.eventDate]);
  const opened = useRef<number>(undefined);
  useEffect(() => {
    opened.current = performance.now();
  }, []);
  const { busy, submit } = useSubmission((stored) => {
    clearDraft(slug);
    onSent(stored);
  });

  const follow = () => {
    if (!form.current) return;
    saveDraft(slug, form.current);
    const text = bookingText(new FormData(form.current));
    setRequest(requestedTimeOf(text));
    // Removes a message when its field becomes valid. New ones appear only on submit.
    const still = checkBooking(text);
    setWrong((before) => Object.fromEntries(Object.entries(before).filter(([name]) => still[name as FormField])));
  };
  // The browser may restore input from before hydration, and this tab stores an unsent request.
  useEffect(() => {
    const timer = setTimeout(() => {
      if (!form.current) return;
      restoreDraft(slug, form.current);
      const location = form.current.elements.namedItem("eventLocation");
      if (town && location instanceof HTMLInputElement && !location.value) location.value = town;
      setRequest(requestedTimeOf(bookingText(new FormData(form.current))));
    });
    return () => clearTimeout(timer);
  }, [form, slug, town]);
  usePrefill(form, () => {
    if (form.current) setRequest(requestedTimeOf(bookingText(new FormData(form.current))));
  });
  const choose = ({ date, time }: { date: string; time?: string }) => {
    for (const [name, value] of [
      ["eventDate", date && writtenDay(date)],
      ["eventTime", time],
    ] as const) {
      const field = form.current?.elements.namedItem(name);
      if (field instanceof HTMLInputElement && value) field.value = value;
    }
    follow();
  };
  const send = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy || !form.current) return;
    const text = bookingText(new FormData(form.current));
    const messages = checkBooking(text);
    setWrong(messages);
    if (Object.keys(messages).length > 0) return focusFirstInvalid(form.current, messages);
    const consent = form.current.querySelector<HTMLInputElement>("[data-consent]:checked")?.value;
    const body = { ...bookingBody(slug, text), ...(consent ? { balanceConsent: consent } : {}) };
    const refused = await submit(body, {
      filledSeconds: (performance.now() - (opened.current ?? 0)) / 1000,
      website: form.current.querySelector<HTMLInputElement>("[data-trap]")?.value || undefined,
    });
    if (!refused) return;
    setWrong(refused);
    recheck();
  };
  return { request, check, failed, wrong, busy, choose, follow, recheck, send };
}

/** Writes the date into the address, from which "back" and a reload restore it. Renders nothing. */
function writeDate(date: string): void {
  const url = new URL(window.location.href);
  if (date) url.searchParams.set("date", date);
  else url.searchParams.delete("date");
  if (url.href !== window.location.href) window.history.replaceState(window.history.state, "", url);
}

const requestedTimeOf = ({
  clientEmail,
  eventDate,
  eventTime,
  duration,
  eventLocation,
  eventType,
}: RequestedTime): RequestedTime => ({
  clientEmail,
  // An incomplete day counts as none.
  eventDate: isDay(eventDate) ? eventDate : "",
  eventTime,
  duration,
  eventLocation,
  eventType,
});

type Body = ReturnType<typeof bookingBody> & { balanceConsent?: string };
type Sending = { body: string; formKey: string; booking?: SentBooking };

/** Sends the request and opens its checkout. Resolves to error messages, or undefined when the page changes. */
function useSubmission(onSent: (booking: SentBooking) => void) {
  const [busy, setBusy] = useState(false);
  // The same input sent again, after a lost connection or a failed checkout, is the same request.
  const last = useRef<Sending>(undefined);
  useEffect(() => {
    const comeBack = (event: PageTransitionEvent) => event.persisted && setBusy(false);
    window.addEventListener("pageshow", comeBack);
    return () => window.removeEventListener("pageshow", comeBack);
  }, []);

  const submit = async (
    body: Body,
    more: { filledSeconds: number; website: string | undefined },
  ): Promise<Readonly<Record<string, string>> | undefined> => {
    setBusy(true);
    closeErrors();
    const written = JSON.stringify(body);
    if (last.current?.body !== written) last.current = { body: written, formKey: randomKey() };
    const sending = last.current;
    try {
      const { browserApi } = await import("../../lib/api/browser-api.ts");
      sending.booking ??= await browserApi.bookings.request({ ...body, ...more, formKey: sending.formKey });
      if (sending.booking.needs_confirmation) {
        onSent(sending.booking);
        return undefined;
      }
      const { checkout_url: checkout } = await browserApi.bookings.createContractAndCheckout({
        booking_id: sending.booking.id,
      });
      if (checkout) leaveFor(checkout);
      else onSent(sending.booking);
      return undefined;
    } catch (error) {
      const apiError = apiErrorOf(error);
      toast({ tone: "error", title: "Error", text: apiError.message });
      setBusy(false);
      return apiError.fields;
    }
  };
  return { busy, submit };
}

const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

function usePrefill(form: RefObject<HTMLFormElement | null>, filled: () => void): void {
  const done = useRef(filled);
  useEffect(() => {
    done.current = filled;
  });
  useEffect(() => {
    if (!/(^|; )signed_in=1/.test(document.cookie)) return;
    void import("../../lib/auth/session.ts").then(async ({ signedInUser }) => {
      const user = await signedInUser();
      if (!user) return;
      const defaults = await readDefaults();
      const fill = (name: FormField, ...values: readonly unknown[]) => {
        const field = form.current?.elements.namedItem(name);
        const value = values.find((one) => typeof one === "string" && one !== "");
        if (field instanceof HTMLInputElement && !field.value && typeof value === "string") field.value = value;
      };
      fill("clientName", defaults?.clientName, user.user_metadata["name"]);
      fill("clientEmail", user.email);
      fill("clientPhone", defaults?.clientPhone, user.phone && `+${user.phone.replace(/^\+/, "")}`);
      fill("duration", defaults?.duration);
      done.current();
    });
  }, [form]);
}

/** Returns the user's settings, undefined after a failure. The form then uses the session's data. */
async function readDefaults(): Promise<BookingDefaults | undefined> {
  try {
    const { browserApi } = await import("../../lib/api/browser-api.ts");
    return await browserApi.settings.bookingDefaults();
  } catch (error) {
    console.info("The booking form starts without your settings.", apiErrorOf(error).message);
    return undefined;
  }
}
