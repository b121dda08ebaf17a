import { type RefObject, type SubmitEvent, useEffect, useRef, useState } from "react";
import type { ArtistProfile } from "#artists/api.ts";
import type { FormField } from "#bookings/rules.ts";
import { isDay } from "#platform/time/calendar.rules.ts";
import { formatWeekdayDate } from "#platform/time/days.rules.ts";
import type { BookingDefaults } from "#settings/api.ts";
import { apiErrorOf } from "../../lib/api-error.ts";
import { goToAddress } from "../../lib/browser/leave-site.ts";
import { useBusy } from "../../lib/browser/use-busy.ts";
import { bookingForm, clearDraft, restoreDraft, saveDraft } from "../../lib/form-draft.ts";
import { focusFirstInvalid, type ValidationMessages } from "../../lib/form-validation.ts";
import { useRequestError } from "../../lib/use-request-error.ts";
import type { SearchedDate } from "../searched-date.ts";
import { bookingBody, bookingText, checkBooking } from "./booking-form-validation.ts";
import type { SentBooking } from "./booking-thanks.tsx";
import { type Check, useDateCheck, type RequestedTime } from "./use-date-check.ts";

export function useBooking(
  form: RefObject<HTMLFormElement | null>,
  { slug, time_zone }: Pick<ArtistProfile, "slug" | "time_zone">,
  { date = "", town }: SearchedDate,
  onSent: (booking: SentBooking) => void,
) {
  const [request, setRequest] = useState<RequestedTime>({
    clientEmail: "",
    eventDate: date,
    eventTime: "",
    duration: "",
    eventLocation: "",
    eventType: "",
  });
  const [wrong, setWrong] = useState<ValidationMessages<FormField>>({});
  const { check, isCurrent, failed, recheck } = useDateCheck(slug, request);
  const zone = check?.date.time_zone ?? time_zone;
  useEffect(() => writeDate(request.eventDate), [request.eventDate]);
  const opened = useRef<number>(undefined);
  useEffect(() => {
    opened.current = performance.now();
  }, []);
  const { busy, lost, submit } = useSubmission((stored) => {
    clearDraft(bookingForm(slug));
    onSent(stored);
  });

  const follow = () => {
    if (!form.current) return;
    saveDraft(bookingForm(slug), form.current);
    setRequest(requestedTimeOf(form.current, zone));
    // Removes a message when its field becomes valid. New ones appear only on submit.
    const still = checkBooking(bookingText(new FormData(form.current), zone));
    setWrong((before) => Object.fromEntries(Object.entries(before).filter(([name]) => still[name as FormField])));
  };
  // The browser may restore input from before hydration, and this tab stores an unsent request.
  useEffect(() => {
    const timer = setTimeout(() => {
      if (!form.current) return;
      restoreDraft(bookingForm(slug), form.current);
      fillEmpty(form.current, { eventLocation: town });
      setRequest(requestedTimeOf(form.current, time_zone));
    });
    return () => clearTimeout(timer);
  }, [form, slug, time_zone, town]);
  useEffect(() => {
    void readOwnDetails().then((details) => {
      if (!form.current || !details) return;
      fillEmpty(form.current, details);
      setRequest(requestedTimeOf(form.current, time_zone));
    });
  }, [form, time_zone]);
  const choose = ({ date, time, duration }: Readonly<{ date?: string; time?: string; duration?: string }>) => {
    for (const [name, value] of [
      ["eventDate", date && formatWeekdayDate(date)],
      ["eventTime", time],
      ["duration", duration],
    ] as const) {
      const field = form.current?.elements.namedItem(name);
      if (field instanceof HTMLInputElement && value) field.value = value;
    }
    const field = dateField();
    if (field && date) field.dataset["day"] = date;
    follow();
  };
  const dateField = () => form.current?.querySelector<HTMLInputElement>('[name="eventDate"]');
  /** The pressed button goes away with the result. A touch would open the keyboard. */
  const chooseNearest: typeof choose = (nearest) => {
    const isByKey = document.activeElement?.matches("button:focus-visible");
    choose(nearest);
    if (isByKey) dateField()?.focus();
  };
  const send = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy || !form.current) return;
    const text = bookingText(new FormData(form.current), zone);
    const messages = checkBooking(text);
    setWrong(messages);
    if (Object.keys(messages).length > 0) return focusFirstInvalid(form.current, messages);
    const consent = form.current.querySelector<HTMLInputElement>("[data-consent]:checked")?.value;
    const body = { ...bookingBody(slug, text), ...(consent ? { balanceConsent: consent } : {}) };
    const refused = await submit(body, check?.price, {
      filledSeconds: (performance.now() - (opened.current ?? 0)) / 1000,
      website: form.current.querySelector<HTMLInputElement>("[data-trap]")?.value || undefined,
    });
    if (!refused) return;
    setWrong(refused);
    recheck();
  };
  return { request, zone, check, isCurrent, failed, wrong, busy, lost, choose, chooseNearest, follow, recheck, send };
}

/** Writes the date into the address, from which "back" and a reload restore it. Renders nothing. */
function writeDate(date: string): void {
  const url = new URL(window.location.href);
  if (date) url.searchParams.set("date", date);
  else url.searchParams.delete("date");
  if (url.href !== window.location.href) window.history.replaceState(window.history.state, "", url);
}

function requestedTimeOf(form: HTMLFormElement, zone: string): RequestedTime {
  const text = bookingText(new FormData(form), zone);
  const { clientEmail, eventDate, eventTime, duration, eventLocation, eventType } = text;
  const day = isDay(eventDate) ? eventDate : "";
  return { clientEmail, eventDate: day, eventTime, duration, eventLocation, eventType };
}

type Details = Partial<Record<FormField, string | null | undefined>>;

function fillEmpty(form: HTMLFormElement, details: Details): void {
  for (const [name, value] of Object.entries(details)) {
    const field = form.elements.namedItem(name);
    if (value && field instanceof HTMLInputElement && !field.value) field.value = value;
  }
}

type Body = ReturnType<typeof bookingBody> & { balanceConsent?: string };
/** `price`: of the stored request, or before that of the form. Undefined while neither is known. */
type Sending = { body: string; price: string | undefined; formKey: string; booking?: SentBooking };

const priceText = ({ fee_cents, currency, deposit_cents, balance_cents, policy_name }: Check["price"] | SentBooking) =>
  JSON.stringify([fee_cents, currency, deposit_cents, balance_cents, policy_name]);

/** Sends the request and opens its checkout. Resolves to error messages, or undefined when the page changes. */
function useSubmission(onSent: (booking: SentBooking) => void) {
  const [busy, setBusy] = useBusy(false);
  // The same input sent again at the same price, after a lost connection or a failed checkout, is the same request.
  const last = useRef<Sending>(undefined);
  const { lost, report, clear } = useRequestError();
  const submit = async (
    body: Body,
    price: Check["price"] | undefined,
    more: { filledSeconds: number; website: string | undefined },
  ): Promise<Readonly<Record<string, string>> | undefined> => {
    setBusy(true);
    clear();
    const [written, shown] = [JSON.stringify(body), price && priceText(price)];
    const before = last.current?.price;
    const isOtherPrice = before !== undefined && shown !== undefined && before !== shown;
    if (last.current?.body !== written || isOtherPrice)
      last.current = { body: written, price: shown, formKey: randomKey() };
    const sending = last.current;
    try {
      const { browserApi } = await import("../../lib/api/browser-api.ts");
      sending.booking ??= await browserApi.bookings.request({ ...body, ...more, formKey: sending.formKey });
      sending.price = priceText(sending.booking);
      if (sending.booking.needs_confirmation) {
        onSent(sending.booking);
        return undefined;
      }
      const { checkout_url: checkout } = await browserApi.bookings.createContractAndCheckout({
        booking_id: sending.booking.id,
      });
      if (checkout) goToAddress(checkout);
      else onSent(sending.booking);
      return undefined;
    } catch (error) {
      report(error);
      setBusy(false);
      return apiErrorOf(error).fields;
    }
  };
  return { busy, lost, submit };
}

const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Returns what a signed-in user's form starts with: their settings, else the session's data. Undefined for a visitor. */
async function readOwnDetails(): Promise<Details | undefined> {
  if (!/(^|; )signed_in=1/.test(document.cookie)) return undefined;
  const { signedInUser } = await import("../../lib/auth/session.ts");
  const user = await signedInUser();
  if (!user) return undefined;
  const defaults = await readDefaults();
  const name: unknown = user.user_metadata["name"];
  return {
    clientName: defaults?.clientName || (typeof name === "string" ? name : ""),
    clientEmail: user.email,
    clientPhone: defaults?.clientPhone || (user.phone && `+${user.phone.replace(/^\+/, "")}`),
    duration: defaults?.duration,
  };
}

async function readDefaults(): Promise<BookingDefaults | undefined> {
  try {
    const { browserApi } = await import("../../lib/api/browser-api.ts");
    return await browserApi.settings.bookingDefaults();
  } catch (error) {
    console.info("The booking form starts without your settings.", apiErrorOf(error).message);
    return undefined;
  }
}
