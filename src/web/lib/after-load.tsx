import { type ReactNode, Suspense } from "react";
import { useHydrated } from "./use-hydrated.ts";

/** Shows what is of no use before the page listens to its buttons. It may be lazy: it and its style are loaded after the page. */
export const AfterLoad = ({ children }: { children: ReactNode }) =>
  useHydrated() ? <Suspense>{children}</Suspense> : null;
