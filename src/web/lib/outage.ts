import { createContext } from "react-router";

/** True once a loader of this rendering reported an outage. */
export const outageContext = createContext(false);

export const isOutage = (error: unknown): boolean =>
  error instanceof Error && "status" in error && error.status === 503;
