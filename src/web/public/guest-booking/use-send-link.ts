import { useState } from "react";
import { apiErrorOf } from "../../lib/api-error.ts";

const incompleteLink = "This link is incomplete. Open the newest link in your email.";

export function useSendLink(id: string) {
  const [state, setState] = useState<{ busy: boolean; message?: string; failed?: boolean }>({ busy: false });
  const send = async () => {
    setState({ busy: true });
    try {
      const { browserApi } = await import("../../lib/api/browser-api.ts");
      const { message } = await browserApi.bookings.sendLink({ id });
      setState({ busy: false, message });
    } catch (error) {
      const { status, message } = apiErrorOf(error);
      setState({ busy: false, failed: true, message: status === 400 ? incompleteLink : message });
    }
  };
  return { ...state, send };
}
