import { useState } from "react";
import { apiErrorOf } from "../../lib/api-error.ts";
import { incompleteLink } from "../incomplete-link.ts";

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
