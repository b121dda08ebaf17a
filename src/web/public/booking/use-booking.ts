import { type RefObject, type SubmitEvent, useEffect, useRef, useState } from "react";
import type { FormField } from "#bookings/rules.ts";
import { focusFirstInvalid, type ValidationMessages } from "../../lib/form-validation.ts";
import { apiErrorOf } from "../../lib/api/api-error.ts";
import { closeErrors, toast } from "../../lib/toasts.ts";
import { bookingBody, bookingText, checkBooking } from "./booking-form-validation.ts";
import type { SentBooking } from "./booking-thanks.tsx";
import { type Check, useCheck, type Wish } from "./use-date-check.ts";

export type BookingState = Readonly<{
  wish: Wish;
  check: Check | undefined;
  /** Why the date could not be checked. */
  failed: string | undefined;
  wrong: ValidationMessages<FormField>;
  busy: boolean;
  /** Writes a date and, where it is given, a time into the form. */
  choose(wish: { date: string; time?: string }): void;
  follow(): void;
  /** Asks the server anew what it knows of the wish. */
  ask(): void;
  send(event: SubmitEvent<HTMLFormElement>): Promise<void>;
}>;

/** The life of one booking form: the panel's answers while it is filled in, then the request and its checkout. */
export function useBooking(
  form: RefObject<HTMLFormElement | null>,
  slug: string,
  firstDate: string,
  onSent: (booking: SentBooking) => void,
): BookingState {
  const [wish, setWish] = useState<Wish>({ eventDate: firstDate, eventTime: "", duration: "", eventLocation: "" });
  const [wrong, setWrong] = useState<ValidationMessages<FormField>>({});
  const { check, failed, ask } = useCheck(slug, wish);
  const { busy, submit } = useSubmission(onSent);
  usePrefill(form);

  const follow = () => {
    if (!form.current) return;
    const text = bookingText(new FormData(form.current));
    setWish(wishOf(text));
    // A sentence goes as soon as its field is right; new ones come only when the form is sent.
    const still = checkBooking(text);
    setWrong((before) => Object.fromEntries(Object.entries(before).filter(([name]) => still[name as FormField])));
  };
  // A browser may have kept what was written before the page could listen.
  useEffect(() => {
    const timer = setTimeout(() => form.current && setWish(wishOf(bookingText(new FormData(form.current)))));
    return () => clearTimeout(timer);
  }, [form]);
  const choose = ({ date, time }: { date: string; time?: string }) => {
    for (const [name, value] of [
      ["eventDate", date],
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
    const sentences = checkBooking(text);
    setWrong(sentences);
    if (Object.keys(sentences).length > 0) return focusFirstInvalid(form.current, sentences);
    const refused = await submit(bookingBody(slug, text));
    if (!refused) return;
    setWrong(refused);
    ask();
  };
  return { wish, check, failed, wrong, busy, choose, follow, ask, send };
}

const wishOf = ({ eventDate, eventTime, duration, eventLocation }: Wish): Wish => ({
  eventDate,
  eventTime,
  duration,
  eventLocation,
});

type Body = ReturnType<typeof bookingBody>;
type Sending = { body: string; formKey: string; booking?: SentBooking };

/** Sends the request and opens its checkout. Resolves with the sentences of a refusal, or nothing when the page moves on. */
function useSubmission(onSent: (booking: SentBooking) => void) {
  const [busy, setBusy] = useState(false);
  // The same answers sent again, after a lost connection or a checkout that did not open, are the same request.
  const last = useRef<Sending>(undefined);
  useEffect(() => {
    const comeBack = (event: PageTransitionEvent) => event.persisted && setBusy(false);
    window.addEventListener("pageshow", comeBack);
    return () => window.removeEventListener("pageshow", comeBack);
  }, []);

  const submit = async (body: Body): Promise<Readonly<Record<string, string>> | undefined> => {
    setBusy(true);
    closeErrors();
    const written = JSON.stringify(body);
    if (last.current?.body !== written) last.current = { body: written, formKey: randomKey() };
    const sending = last.current;
    try {
      const { browserApi } = await import("../../lib/api/browser-api.ts");
      sending.booking ??= await browserApi.bookings.request({ ...body, formKey: sending.formKey });
      const { checkout_url: checkout } = await browserApi.bookings.createContractAndCheckout({
        booking_id: sending.booking.id,
      });
      if (checkout) window.location.assign(checkout);
      else onSent(sending.booking);
      return undefined;
    } catch (error) {
      const refusal = apiErrorOf(error);
      toast({ tone: "error", title: "Error", text: refusal.message });
      setBusy(false);
      return refusal.fields;
    }
  };
  return { busy, submit };
}

/** 32 hex digits. */
const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** A signed-in person finds name and mailbox filled in; what is already written stays. */
function usePrefill(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    if (!/(^|; )signed_in=1/.test(document.cookie)) return;
    void import("../../lib/auth/session.ts").then(async ({ signedInUser }) => {
      const user = await signedInUser();
      const fill = (name: FormField, value: unknown) => {
        const field = form.current?.elements.namedItem(name);
        if (field instanceof HTMLInputElement && !field.value && typeof value === "string") field.value = value;
      };
      fill("clientName", user?.user_metadata["name"]);
      fill("clientEmail", user?.email);
    });
  }, [form]);
}
