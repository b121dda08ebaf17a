/** Hides what stands below a section until that section is known: nothing moves when it arrives. What is hidden loads meanwhile. */
import type { ReactNode } from "react";
import { SectionLoading } from "./section-loading.tsx";

export const ShownTogether = ({ waiting, children }: Readonly<{ waiting: boolean; children: ReactNode }>) => (
  <>
    {waiting ? <SectionLoading title="Loading" lines={6} /> : null}
    <div hidden={waiting}>{children}</div>
  </>
);
