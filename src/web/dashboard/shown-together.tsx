/** Hides the content below a section until the section is loaded, to avoid a layout shift. The hidden content loads in parallel. */
import type { ReactNode } from "react";
import { SectionLoading } from "./section-loading.tsx";

export const ShownTogether = ({ waiting, children }: Readonly<{ waiting: boolean; children: ReactNode }>) => (
  <>
    {waiting ? <SectionLoading title="Loading" lines={6} /> : null}
    <div hidden={waiting}>{children}</div>
  </>
);
