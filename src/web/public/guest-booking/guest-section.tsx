/** A part of the guest page that loads separately. It reloads with the page. */

import { type ReactNode, type Ref, useCallback, useEffect, useState } from "react";
import type { BookingResponse } from "../../booking/progress.ts";
import { type ApiError, apiErrorOf } from "../../lib/api-error.ts";
import { Button } from "../../ui/button.tsx";
import styles from "../../booking/booking.module.css";

export type BrowserApi = (typeof import("../../lib/api/browser-api.ts"))["browserApi"];

type Props<T> = Readonly<{
  booking: BookingResponse;
  title: string;
  /** Must be a stable function. Another one reloads immediately. */
  read(api: BrowserApi, id: string): Promise<T>;
  id?: string;
  section?: Ref<HTMLElement>;
  loading?: string;
  children(data: T, readAgain: () => void): ReactNode;
}>;

export function GuestSection<T>({ booking, title, read, id, section, loading, children }: Props<T>) {
  const [data, setData] = useState<T>();
  const [error, setError] = useState<ApiError>();
  const { id: bookingId } = booking;
  const load = useCallback(async () => {
    try {
      const { browserApi } = await import("../../lib/api/browser-api.ts");
      setData(await read(browserApi, bookingId));
      setError(undefined);
    } catch (failure) {
      setError(apiErrorOf(failure));
    }
  }, [read, bookingId]);
  useEffect(() => void load(), [load, booking]);
  return (
    <section className={styles.section} id={id} ref={section}>
      <h2>{title}</h2>
      {data === undefined ? null : children(data, () => void load())}
      {error && data === undefined ? (
        <>
          <p role="alert" className="note cherry">
            The {title.toLowerCase()} could not be loaded. {error.message}
          </p>
          <Button tone="line" onClick={() => void load()}>
            Retry
          </Button>
        </>
      ) : null}
      {loading === undefined || error || data !== undefined ? null : (
        <p className="small quiet" role="status">
          {loading}
        </p>
      )}
    </section>
  );
}
