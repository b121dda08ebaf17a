import type { ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import overview from "./overview.module.css";

type Props = Readonly<{
  children: ReactNode;
  /** `name` tells apart the buttons of several entries. */
  actions: readonly Readonly<{ label: string; name: string; run(): unknown }>[];
  /** The last button is filled. */
  primary?: boolean;
}>;

/** An entry of a list in which an admin decides. */
export const Decision = ({ children, actions, primary = false }: Props) => (
  <li>
    <span className={overview.whole}>{children}</span>
    {actions.map(({ label, name, run }, at) => (
      <Button
        key={label}
        size="sm"
        tone={primary && at === actions.length - 1 ? "main" : "line"}
        aria-label={name}
        onClick={run}
      >
        {label}
      </Button>
    ))}
  </li>
);
