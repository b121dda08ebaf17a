import type { ReactNode } from "react";

export const Line = ({ word, children }: Readonly<{ word: string; children: ReactNode }>) => (
  <div>
    <dt>{word}</dt>
    <dd>{children}</dd>
  </div>
);
