import { useState } from "react";
import { paths } from "#platform/site-paths.rules.ts";
import { apiErrorOf } from "../lib/api-error.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { incompleteLink } from "./incomplete-link.ts";
import shared from "./programme.module.css";

export function useSendLink(id: string) {
  const [state, setState] = useState<{ busy: boolean; message?: string; failed?: boolean }>({ busy: false });
  const send = async () => {
    setState({ busy: true });
    try {
      const { browserApi } = await import("../lib/api/browser-api.ts");
      const { message } = await browserApi.bookings.sendLink({ id });
      setState({ busy: false, message });
    } catch (error) {
      const { status, message } = apiErrorOf(error);
      setState({ busy: false, failed: true, message: status === 400 ? incompleteLink : message });
    }
  };
  return { ...state, send };
}

/** "Send me a new link": emails a link to the booking to the address of its request. Beside it are the other ways to the booking. */
export function SendNewLink({ id }: Readonly<{ id: string }>) {
  const { send, busy, message, failed } = useSendLink(id);
  return (
    <>
      {message ? (
        <p className={failed ? "note cherry" : "note green"} role={failed ? "alert" : "status"}>
          {message}
        </p>
      ) : null}
      <div className={shared.actions}>
        <Button busy={busy} busyLabel="Sending..." onClick={() => void send()}>
          Send me a new link
        </Button>
        <LinkButton tone="line" className="when-out" href={paths.signIn}>
          Sign In
        </LinkButton>
        <LinkButton tone="line" href={paths.contact}>
          Contact us
        </LinkButton>
      </div>
    </>
  );
}
