import { createContext } from "react-router";

/** True once a loader of this rendering was told that the server cannot answer at the moment. */
export const outageContext = createContext(false);

/** Whether the API, called in process, has thrown an answer with status 503. */
export const isOutage = (error: unknown): boolean =>
  error instanceof Error && "status" in error && error.status === 503;
