import { makeStore } from "../lib/store.ts";

/** The player's bar loads only once a sample was started on this page. */
export const firstPlay = makeStore(false);
