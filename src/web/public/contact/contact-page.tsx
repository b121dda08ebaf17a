import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { contactFieldMessage, contactFields } from "#notifications/contact.rules.ts";
import { mailtoOf } from "#platform/pages/mailto.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { apiErrorOf } from "../../lib/api-error.ts";
import { useHydrated } from "../../lib/browser/use-hydrated.ts";
import { useFormDraft } from "../../lib/form-draft.ts";
import { focusFirstInvalid, type ValidationMessages, textOf } from "../../lib/form-validation.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { useSite } from "../../lib/site.ts";
import { useRequestError } from "../../lib/use-request-error.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextArea, TextField } from "../../ui/fields/field.tsx";
import { LostRequest } from "../../ui/states/lost-request.tsx";
import type { Route } from "./+types/contact-page.ts";
import shared from "../programme.module.css";
import styles from "./contact.module.css";

const subjects = ["A booking", "A payment or a refund", "A contract", "My account", "Something else"] as const;
type Name = "name" | "email" | "message";

export const loader = ({ request }: Route.LoaderArgs) => ({ url: new URL(paths.contact, request.url).href });

export const meta: Route.MetaFunction = ({ loaderData }) =>
  pageMeta({
    title: "Contact Stagedoor",
    description: "Write to us. We answer within one working day, sooner if your show is coming up.",
    url: loaderData?.url,
  });

export default function ContactPage() {
  const [sentTo, setSentTo] = useState<string>();
  return (
    <div className="wrap">
      <div className={shared.title}>
        <h1>Contact</h1>
        <p>We read every message. We answer within one working day, sooner when a show is coming up.</p>
      </div>
      <div className={shared.cols}>
        {sentTo ? <Sent to={sentTo} onAgain={() => setSentTo(undefined)} /> : <ContactForm onSent={setSentTo} />}
        <Beside />
      </div>
    </div>
  );
}

export function ContactForm({ onSent }: { onSent(email: string): void }) {
  const ready = useHydrated();
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<ValidationMessages<Name>>({});
  const { lost, report, clear } = useRequestError();
  const draft = useFormDraft("contact-form");
  const send = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const form = event.currentTarget;
    const written = new FormData(form);
    const messages = check(written);
    setWrong(messages);
    if (Object.keys(messages).length > 0) return focusFirstInvalid(form, messages);
    setBusy(true);
    clear();
    try {
      const { browserApi } = await import("../../lib/api/browser-api.ts");
      await browserApi.notifications.contact(messageOf(written));
      draft.clear();
      onSent(textOf(written, "email"));
    } catch (error) {
      setWrong(apiErrorOf(error).fields);
      report(error);
    }
    setBusy(false);
  };
  return (
    <form className={shared.stack} method="post" noValidate {...draft.props} onSubmit={(event) => void send(event)}>
      <noscript>
        <p className="note gold">This form needs JavaScript. You can also use the email address.</p>
      </noscript>
      <fieldset className={shared.group}>
        <legend>Your message</legend>
        <div className={shared.grid2}>
          <TextField label="Full name" name="name" autoComplete="name" required maxLength={120} error={wrong.name} />
          <TextField
            label="Email"
            name="email"
            type="email"
            autoComplete="email"
            required
            maxLength={254}
            error={wrong.email}
          />
          <SelectField label="Topic" name="subject">
            {subjects.map((subject) => (
              <option key={subject}>{subject}</option>
            ))}
          </SelectField>
          <TextField
            label="Booking number (optional)"
            name="booking"
            maxLength={60}
            autoComplete="off"
            placeholder="SD-7K2M9Q"
          />
          <TextArea
            label="Message"
            name="message"
            rows={7}
            required
            maxLength={5000}
            all
            hint="Never send card numbers or passwords. We never ask for them."
            error={wrong.message}
          />
        </div>
      </fieldset>
      <LostRequest message={lost} />
      <Button
        type="submit"
        size="big"
        className={styles.send}
        busy={busy}
        busyLabel="Sending..."
        disabled={!ready}
        data-waiting={!ready || undefined}
      >
        Send message
      </Button>
    </form>
  );
}

function check(written: FormData): ValidationMessages<Name> {
  const found = contactFields.map((name) => [name, contactFieldMessage(name, textOf(written, name))] as const);
  return Object.fromEntries(found.filter(([, message]) => message !== undefined));
}

function messageOf(written: FormData) {
  const booking = textOf(written, "booking");
  return {
    name: textOf(written, "name"),
    email: textOf(written, "email"),
    subject: booking ? `${textOf(written, "subject")}: ${booking}` : textOf(written, "subject"),
    message: textOf(written, "message"),
  };
}

function Sent({ to, onAgain }: { to: string; onAgain(): void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className={shared.stack} aria-labelledby="sent" role="status">
      <h2 id="sent" ref={heading} tabIndex={-1}>
        Thank you, your message has arrived
      </h2>
      <p>A confirmation goes to {to}. We answer within one working day.</p>
      <Button tone="line" onClick={onAgain}>
        Send another message
      </Button>
    </section>
  );
}

function Beside() {
  const support = useSite()?.supportEmail;
  return (
    <aside className={shared.side} aria-label="Other ways">
      {support ? (
        <section>
          <h2>By email</h2>
          <p className={styles.mail}>
            <a href={mailtoOf(support)}>{support}</a>
          </p>
          <p className="small quiet">Put the booking number in the subject to help us find it.</p>
        </section>
      ) : null}
      <section>
        <h2>Common questions</h2>
        <ul className={styles.questions}>
          <li>
            <strong>Where is my contract?</strong>
            <span className="quiet">
              We email it within 24 hours of your request. For a booking without a deposit, within 24 hours of the
              artist's acceptance.
            </span>
          </li>
          <li>
            <strong>What does a deposit do?</strong>
            <span className="quiet">
              It books the time of your show. No other promoter can book the artist for that time.
            </span>
          </li>
          <li>
            <strong>When is the artist paid?</strong>
            <span className="quiet">After the show, typically 2-7 business days.</span>
          </li>
        </ul>
      </section>
    </aside>
  );
}
