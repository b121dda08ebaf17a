/** Hides all content until every part is loaded, to avoid a layout shift. The hidden parts load in parallel. */
import type { ReactNode } from "react";

type Props = Readonly<{ waiting: boolean; loading: ReactNode; children: ReactNode }>;

export const ShownTogether = ({ waiting, loading, children }: Props) => (
  <>
    {waiting ? loading : null}
    <div hidden={waiting}>{children}</div>
  </>
);
