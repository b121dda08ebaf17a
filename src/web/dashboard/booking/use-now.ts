import { useEffect, useState } from "react";
import { present } from "../../lib/present.ts";

export function useNow(everyMs: number): Date {
  const [now, setNow] = useState(present);
  useEffect(() => {
    const timer = setInterval(() => setNow(present()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
