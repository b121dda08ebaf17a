/** The whole contract text, to read before paying. Loads each time it is opened, to show the latest terms. */

import { useCallback, useEffect, useId, useRef, useState } from "react";
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
  useEffect(() => {
    if (window.location.hash !== `#${anchor}`) return;
    const timer = setTimeout(() => setIsOpen(true));
    return () => clearTimeout(timer);
  }, []);
  return (
    <div id={anchor}>
      <button type="button" className={styles.open} aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        Read the full contract
      </button>
      {isOpen ? <ContractDialog load={load} onClose={() => setIsOpen(false)} /> : null}
    </div>
  );
}

function ContractDialog({ load, onClose }: Props & Readonly<{ onClose(): void }>) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  const [text, setText] = useState<Text>();
  const [failed, setFailed] = useState<string>();
  useEffect(() => dialog.current?.showModal(), []);
  const firstLoad = useRef(load);
  const read = useCallback(async () => {
    setFailed(undefined);
    try {
      const { browserApi: api } = await import("../../lib/api/browser-api.ts");
      setText(await firstLoad.current(api));
    } catch (error) {
      setFailed(apiErrorOf(error).message);
    }
  }, []);
  useEffect(() => void read(), [read]);
  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby={title} onClose={onClose}>
      <header>
        <h2 id={title}>{text?.title ?? "Contract"}</h2>
        <Button tone="line" size="sm" onClick={() => dialog.current?.close()}>
          Close
        </Button>
      </header>
      {failed ? (
        <div role="alert">
          <p>The contract could not be loaded: {failed}</p>
          <Button tone="line" size="sm" onClick={read}>
            Try again
          </Button>
        </div>
      ) : text ? (
        <>
          <p className="small quiet">Both sides sign this text. Details that are not known yet are in [brackets].</p>
          <article className={styles.paper} tabIndex={0} aria-label={text.title}>
            <AgreementSections heading="h3" sections={text.sections} />
          </article>
          <p>
            <Button tone="line" onClick={() => window.print()}>
              Print or save as PDF
            </Button>
          </p>
        </>
      ) : (
        <p role="status">Loading the contract...</p>
      )}
    </dialog>
  );
}
