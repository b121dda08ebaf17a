/** Bookings whose balance is charged to the deposit's card, and the jobs of two processes that charge it. */

import { sendBalanceReminders } from "#bookings/balance/balance-reminders.ts";
import { sendContract } from "#bookings/contract/sending.ts";
import { dayMs } from "#platform/time/durations.rules.ts";
import { bookingRow, browser, dayAhead, follow, peopleOf, press, verifyMailbox } from "#test/harness/bookings.ts";
import { attestSignatures } from "#test/harness/contracts.ts";
import { chargeSavedCards } from "#test/harness/payment-work.ts";
import type { TestApp } from "#test/test-app.ts";

type Given = { daysAhead?: number; consent?: boolean; later?: string };
type Job = (services: TestApp["services"]) => Promise<void>;

/** `apps`: the processes whose jobs run concurrently. The first one is the app of the test. */
export function automaticCharges(apps: () => readonly TestApp[]) {
  const app = () => apps()[0] as TestApp;
  const { artist, person } = peopleOf(app);
  let guests = 0;

  /** Makes a request of a new browser for a new artist, with or without consent to the automatic charge. */
  async function requested(given: Given = {}) {
    const player = await person("artist");
    const act = await artist({ userId: player.user.id });
    const visitor = browser(app(), { "user-agent": "Test Browser 1.0" });
    await visitor.call("/");
    const form = {
      artistId: act.slug,
      clientEmail: `guest-${++guests}@whitt.example`,
      eventDate: dayAhead(app(), given.daysAhead ?? 60),
    };
    const checked = await visitor.check({ artistId: act.slug, eventDate: form.eventDate, eventTime: "20:30" });
    const text = String(checked.body["balance_consent"]);
    const sent = (
      await visitor.requestBooking({ ...form, ...((given.consent ?? true) ? { balanceConsent: text } : {}) })
    ).body;
    await verifyMailbox(app(), visitor, sent.id);
    return { form, text, visitor, booking: sent, player };
  }

  /** Adds a paid deposit. `later`: the card's behavior when it is charged. */
  async function deposited(given: Given = {}) {
    const made = await requested(given);
    await press(app(), (await made.visitor.checkout(made.booking)).body["checkout_url"], "pay", given.later);
    return made;
  }

  async function signed(given: Given = {}) {
    const made = await deposited(given);
    await sendContract(app().services, made.booking.id);
    const admin = await person("admin");
    await attestSignatures(app(), made.booking.id, admin.user.id);
    await app().settle();
    return made;
  }

  /** Runs the jobs of all processes concurrently and repeatedly. */
  async function work(jobs: readonly Job[] = [sendBalanceReminders, chargeSavedCards]) {
    for (const job of jobs) await Promise.all([...apps(), ...apps()].map(({ services }) => job(services)));
    await follow(app());
  }

  const moveTo = (at: Date) => app().clock.advance(at.getTime() - app().clock.now().getTime());

  async function until(at: Date) {
    moveTo(at);
    await work();
  }

  /** Returns 9:00 in Austin (UTC−6), `days` before the event. */
  const morningBefore = async (id: string, days: number) => {
    const { event_date } = await bookingRow(app(), id);
    return new Date(Date.parse(`${event_date}T15:00:00Z`) - days * dayMs);
  };

  const charges = (id: string) =>
    app()
      .database.db.selectFrom("payments")
      .selectAll()
      .where("booking_id", "=", id)
      .where("way", "=", "saved_card")
      .execute();

  const consents = (id: string) =>
    app()
      .database.db.selectFrom("balance_consents")
      .selectAll()
      .where("booking_id", "=", id)
      .orderBy("given_at")
      .execute();
  const cards = (id: string) =>
    app().database.db.selectFrom("saved_cards").selectAll().where("booking_id", "=", id).execute();

  return { requested, deposited, signed, work, until, moveTo, morningBefore, charges, consents, cards };
}
