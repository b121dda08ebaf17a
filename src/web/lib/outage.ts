import { createContext } from "react-router";

export const outageContext = createContext(false);

export const isOutage = (error: unknown): boolean =>
  error instanceof Error && "status" in error && error.status === 503;
