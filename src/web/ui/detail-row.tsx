import type { ReactNode } from "react";

export const DetailRow = ({ label, children }: Readonly<{ label: ReactNode; children: ReactNode }>) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);
