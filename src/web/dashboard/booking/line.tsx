import type { ReactNode } from "react";

/** One line of a list of facts. */
export const Line = ({ word, children }: Readonly<{ word: string; children: ReactNode }>) => (
  <div>
    <dt>{word}</dt>
    <dd>{children}</dd>
  </div>
);
