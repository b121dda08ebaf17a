import { useEffect, useState } from "react";
import { currentTime } from "../lib/clock.ts";

export function useNow(everyMs: number): Date {
  const [now, setNow] = useState(currentTime);
  useEffect(() => {
    const timer = setInterval(() => setNow(currentTime()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
