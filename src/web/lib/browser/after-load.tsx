import { type ReactNode, Suspense, useDeferredValue } from "react";

/** Renders its children in the background after hydration. Lazy children and their styles load after the page. */
export const AfterLoad = ({ children }: { children: ReactNode }) =>
  useDeferredValue(true, false) ? <Suspense>{children}</Suspense> : null;
