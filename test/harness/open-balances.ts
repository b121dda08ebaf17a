/** Bookings with an open balance, the reminders of two processes, and the payment links. */

import type { BookingPage } from "#bookings/api.ts";
import { sendBalanceReminders } from "#bookings/balance/balance-reminders.ts";
import { sendContract } from "#bookings/contract/sending.ts";
import { hourMs, dayMs } from "#platform/time/durations.rules.ts";
import { browser, dayAhead, follow, peopleOf, press } from "#test/harness/bookings.ts";
import { attestSignatures } from "#test/harness/contracts.ts";
import type { TestApp } from "#test/test-app.ts";

type Browser = ReturnType<typeof browser>;

/** Returns the payment link in the text of an email. Empty if there is none. */
export const linkOf = (text: string) => /https?:\/\/\S+\/pay\/\S+/.exec(text)?.[0] ?? "";

/** `apps`: the processes whose jobs run concurrently. The first one is the app of the test. */
export function openBalances(apps: () => readonly TestApp[]) {
  const app = () => apps()[0] as TestApp;
  const { artist, person, held } = peopleOf(app);

  /** Makes a booking signed by both, with its browser and its artist's account. `paid`: by the provider, so it can be refunded. */
  async function signed(daysAhead: number, given: { paid?: boolean } = {}) {
    const player = await person("artist");
    const act = await artist({ userId: player.user.id });
    const made = {
      artist: act,
      eventDate: dayAhead(app(), daysAhead),
      eventTime: "20:00",
      now: app().clock.now(),
      createdAt: app().clock.now(),
    };
    if (!given.paid) return { ...(await held({ ...made, status: "contract_signed" })), player, act };
    const { booking, visitor } = await held(made);
    await press(app(), (await visitor.checkout(booking)).body["checkout_url"], "pay");
    await sendContract(app().services, booking.id);
    await attest(booking.id);
    return { booking, visitor, player, act };
  }

  async function attest(bookingId: string) {
    const admin = await person("admin");
    await attestSignatures(app(), bookingId, admin.user.id);
    await app().settle();
  }

  /** Advances the clock, and runs both processes concurrently and repeatedly. */
  async function later(ms: number) {
    app().clock.advance(ms);
    await Promise.all([...apps(), ...apps()].map(({ services }) => sendBalanceReminders(services)));
    await follow(app());
  }

  /** Moves the clock to a local time in Austin (UTC−6 in winter). */
  const until = (day: string, time: string) =>
    later(new Date(`${day}T${time}:00-06:00`).getTime() - app().clock.now().getTime());

  /** Moves the clock to noon, `days` before the event. */
  const noonBefore = (booking: { starts_at: Date }, days: number) =>
    later(booking.starts_at.getTime() - days * dayMs - 8 * hourMs - app().clock.now().getTime());

  /** Returns the emails about the balance in order, without the receipt. */
  const emails = async (bookingId: string) =>
    (
      await app()
        .database.db.selectFrom("messages")
        .select(["template", "recipient", "subject", "text"])
        .where("ref_id", "=", bookingId)
        .where("template", "like", "balance%")
        .orderBy("created_at")
        .execute()
    ).filter(({ template }) => template !== "balance_received");
  const subjects = async (bookingId: string) => (await emails(bookingId)).map(({ subject }) => subject);
  const page = async (at: Browser, id: string) => (await at.json(`/api/bookings/${id}`)).body as unknown as BookingPage;

  /** Signs the artist in again, because a session ends when the clock moves by days. */
  const as = async ({ user }: { user: Parameters<TestApp["signIn"]>[0] }) => browser(app(), await app().signIn(user));

  /** Opens a balance link in a new browser, up to the provider's page. */
  async function open(link: string, at: Browser = browser(app())) {
    const { pathname, searchParams } = new URL(link);
    const response = await at.call(pathname, `key=${searchParams.get("key")}`, {
      accept: "application/json",
      "content-type": "application/x-www-form-urlencoded",
    });
    return { status: response.status, body: (await response.json()) as { url?: string; message?: string } };
  }

  return { signed, attest, later, until, noonBefore, emails, subjects, page, as, open };
}
