import { type RefObject, type SubmitEvent, useCallback, useEffect, useRef, useState } from "react";
import type { ArtistProfile } from "#artists/api.ts";
import type { FormField } from "#bookings/rules.ts";
import { todayHere } from "../lib/dates.ts";
import { focusFirst, type Sentences } from "../lib/form-check.ts";
import { refusalOf } from "../lib/refusal.ts";
import { toast } from "../lib/toasts.ts";
import { useHydrated } from "../lib/use-hydrated.ts";
import { bookingBody, bookingText, checkBooking } from "./booking-check.ts";
import type { SentBooking } from "./booking-thanks.tsx";
import { dateAnswer, type DateAnswer, type DateFacts } from "./date-answer.ts";

export type BookingState = Readonly<{
  form: RefObject<HTMLFormElement | null>;
  /** The chosen date; empty when there is none. */
  date: string;
  answer: DateAnswer;
  wrong: Sentences<FormField>;
  busy: boolean;
  chooseDate(date: string): void;
  follow(): void;
  send(event: SubmitEvent<HTMLFormElement>): Promise<void>;
}>;

/** How often the calendar is read again while the chosen date is on hold. */
const holdPollMs = 15_000;

/** The life of one booking form: the date's answer while it is filled in, then the request and its checkout. */
export function useBooking(
  artist: ArtistProfile,
  firstDate: string,
  onSent: (booking: SentBooking) => void,
): BookingState {
  const form = useRef<HTMLFormElement>(null);
  const [date, setDate] = useState(firstDate);
  const [wrong, setWrong] = useState<Sentences<FormField>>({});
  const hydrated = useHydrated();
  const [facts, readAgain] = useCalendar(artist);
  const answer: DateAnswer = hydrated ? dateAnswer(date, facts, todayHere()) : { state: "none" };
  const { busy, submit } = useSubmission(artist.slug, onSent);
  usePrefill(form);

  // A browser may have kept what was written before the page could listen.
  useEffect(() => void (form.current && setDate(bookingText(new FormData(form.current)).eventDate)), []);
  useEffect(() => {
    if (date) void readAgain();
  }, [date, readAgain]);
  useEffect(() => {
    if (answer.state !== "hold") return;
    const timer = setInterval(() => void readAgain(), holdPollMs);
    return () => clearInterval(timer);
  }, [answer.state, readAgain]);

  const follow = () => {
    if (!form.current) return;
    const text = bookingText(new FormData(form.current));
    setDate(text.eventDate);
    // A sentence goes as soon as its field is right; new ones come only when the form is sent.
    const still = checkBooking(text);
    setWrong((before) => Object.fromEntries(Object.entries(before).filter(([name]) => still[name as FormField])));
  };
  const chooseDate = (next: string) => {
    const field = form.current?.elements.namedItem("eventDate");
    if (field instanceof HTMLInputElement) field.value = next;
    follow();
  };
  const send = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy || !form.current) return;
    const text = bookingText(new FormData(form.current));
    const sentences = checkBooking(text);
    setWrong(sentences);
    if (Object.keys(sentences).length > 0) return focusFirst(form.current, sentences);
    const fields = await submit(bookingBody(artist.slug, text));
    if (!fields) return;
    setWrong(fields);
    void readAgain();
  };
  return { form, date, answer, wrong, busy, chooseDate, follow, send };
}

/** The artist's calendar, as fresh as the last time it was asked for. */
function useCalendar(artist: ArtistProfile): [DateFacts, () => Promise<void>] {
  const [facts, setFacts] = useState<DateFacts>(artist);
  const readAgain = useCallback(async () => {
    const { browserApi } = await import("../lib/browser-api.ts");
    try {
      setFacts(await browserApi.artists.get({ slug: artist.slug }));
    } catch (error) {
      // The calendar that came with the page still stands, and the server checks again when the request is sent.
      console.info("The calendar could not be read again.", refusalOf(error).message);
    }
  }, [artist.slug]);
  return [facts, readAgain];
}

type Body = ReturnType<typeof bookingBody>;

/** Sends the request and opens its checkout. Resolves with the sentences of a refusal, or nothing when the page moves on. */
function useSubmission(slug: string, onSent: (booking: SentBooking) => void) {
  const [busy, setBusy] = useState(false);
  // A request that arrived is not sent twice when only its checkout could not be opened.
  const arrived = useRef<{ body: string; booking: SentBooking }>(undefined);
  useEffect(() => {
    const comeBack = (event: PageTransitionEvent) => event.persisted && setBusy(false);
    window.addEventListener("pageshow", comeBack);
    return () => window.removeEventListener("pageshow", comeBack);
  }, []);

  const submit = async (body: Body): Promise<Readonly<Record<string, string>> | undefined> => {
    setBusy(true);
    try {
      const { browserApi } = await import("../lib/browser-api.ts");
      const key = JSON.stringify(body);
      if (arrived.current?.body !== key)
        arrived.current = { body: key, booking: await browserApi.bookings.request(body) };
      const { booking } = arrived.current;
      const { checkout_url: checkout } = await browserApi.bookings.createContractAndCheckout({
        booking_id: booking.id,
      });
      if (checkout) window.location.assign(checkout);
      else onSent(booking);
      return undefined;
    } catch (error) {
      const refusal = refusalOf(error);
      toast({ tone: "error", title: "Error", text: refusal.message });
      setBusy(false);
      return refusal.fields;
    }
  };
  return { busy, submit };
}

/** A signed-in person finds name and mailbox filled in; what is already written stays. */
function usePrefill(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    if (!/(^|; )signed_in=1/.test(document.cookie)) return;
    void import("../lib/session.ts").then(async ({ signedInUser }) => {
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
