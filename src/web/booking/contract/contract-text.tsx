/** The whole contract text, to read before paying. Loads each time it is opened, to show the latest terms. */
import { useEffect, useRef, useState } from "react";
import { apiErrorOf } from "../../lib/api-error.ts";
import type { browserApi } from "../../lib/api/browser-api.ts";
import { Button } from "../../ui/button.tsx";
import { AgreementSections } from "./agreement-sections.tsx";
import styles from "./contract-text.module.css";

type Api = typeof browserApi;
type Text = Awaited<ReturnType<Api["bookings"]["contract"]["templates"]["previewBooking"]>>;
type Props = Readonly<{ load(api: Api): Promise<Text> }>;

const anchor = "contract";

export function ContractText({ load }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const [text, setText] = useState<Text>();
  const [failed, setFailed] = useState<string>();
  const details = useRef<HTMLDetailsElement>(null);
  const latest = useRef(0);
  const read = async () => {
    const turn = ++latest.current;
    setFailed(undefined);
    try {
      const { browserApi: api } = await import("../../lib/api/browser-api.ts");
      const loaded = await load(api);
      if (turn === latest.current) setText(loaded);
    } catch (error) {
      if (turn === latest.current) setFailed(apiErrorOf(error).message);
    }
  };
  useEffect(() => {
    if (!details.current || window.location.hash !== `#${anchor}`) return;
    details.current.open = true;
    details.current.scrollIntoView();
  }, []);
  return (
    <details
      id={anchor}
      ref={details}
      className={styles.contract}
      onToggle={({ currentTarget: { open } }) => {
        setIsOpen(open);
        setText(undefined);
        if (open) void read();
      }}
    >
      <summary>Read the full contract</summary>
      {!isOpen ? null : failed ? (
        <div role="alert">
          <p>The contract could not be loaded: {failed}</p>
          <Button type="button" tone="line" size="sm" onClick={() => void read()}>
            Try again
          </Button>
        </div>
      ) : text ? (
        <Agreement text={text} />
      ) : (
        <p role="status">Loading the contract...</p>
      )}
    </details>
  );
}

function Agreement({ text: { title, sections } }: Readonly<{ text: Text }>) {
  return (
    <>
      <p className="small quiet">Both sides sign this text. Details that are not known yet are in [brackets].</p>
      <article className={styles.paper} tabIndex={0} aria-label={title}>
        <h3>{title}</h3>
        <AgreementSections sections={sections} />
      </article>
    </>
  );
}
