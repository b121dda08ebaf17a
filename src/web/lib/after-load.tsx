import { type ReactNode, Suspense } from "react";
import { useHydrated } from "./use-hydrated.ts";

/** Renders content that needs hydration. It may be lazy, so it and its style load after the page. */
export const AfterLoad = ({ children }: { children: ReactNode }) =>
  useHydrated() ? <Suspense>{children}</Suspense> : null;
