import { paths } from "#platform/site-paths.rules.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import shared from "../programme.module.css";
import { useSendLink } from "./use-send-link.ts";

export function UnknownBooking({ id }: { id: string }) {
  const { send, ...state } = useSendLink(id);
  return (
    <div className={shared.mid}>
      <h1>We cannot open this booking</h1>
      <p className={shared.lead}>
        This browser has no access to it, or the link has expired. A link from our emails opens a booking for 30 days,
        in any browser. A booking that belongs to an account opens after signing in. We can send a new link to the
        address that the request was made with.
      </p>
      {state.message ? (
        <p className={state.failed ? "note cherry" : "note green"} role={state.failed ? "alert" : "status"}>
          {state.message}
        </p>
      ) : null}
      <div className={shared.actions}>
        <Button busy={state.busy} busyLabel="Sending..." onClick={() => void send()}>
          Send me a new link
        </Button>
        <LinkButton tone="line" className="when-out" to={paths.signIn}>
          Sign In
        </LinkButton>
        <LinkButton tone="line" to={paths.contact}>
          Contact
        </LinkButton>
      </div>
    </div>
  );
}
