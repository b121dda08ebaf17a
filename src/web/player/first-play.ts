import { makeStore } from "../lib/store.ts";

/** Whether a sample was started on this page. The player's bar loads only then. */
export const firstPlay = makeStore(false);
