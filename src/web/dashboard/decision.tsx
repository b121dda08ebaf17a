import { type ReactNode, useState } from "react";
import { Button } from "../ui/button.tsx";
import overview from "./overview.module.css";

type Props = Readonly<{
  children: ReactNode;
  /** `name` tells apart the buttons of several entries. */
  actions: readonly Readonly<{ label: string; name: string; run(): unknown }>[];
  /** The last button is filled. */
  primary?: boolean;
}>;

/** An entry of a list in which an admin decides. While one decision is sent, the others are disabled. */
export function Decision({ children, actions, primary = false }: Props) {
  const [sent, setSent] = useState<string>();
  const start = (name: string, run: () => unknown) => {
    const work = run();
    if (!(work instanceof Promise)) return undefined;
    setSent(name);
    return work.finally(() => setSent(undefined));
  };
  return (
    <li>
      <span className={overview.whole}>{children}</span>
      {actions.map(({ label, name, run }, at) => (
        <Button
          key={label}
          size="sm"
          tone={primary && at === actions.length - 1 ? "main" : "line"}
          aria-label={name}
          disabled={sent !== undefined && sent !== name}
          onClick={() => start(name, run)}
        >
          {label}
        </Button>
      ))}
    </li>
  );
}
