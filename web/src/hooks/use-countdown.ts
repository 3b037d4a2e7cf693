import { useEffect, useState } from "react";

const SECOND_MS = 1_000;

/** Seconds left until an action is allowed again; 0 when it is. */
export function useCountdown(): { readonly left: number; readonly start: (seconds: number) => void } {
  const [endsAt, setEndsAt] = useState(0);
  const [now, setNow] = useState(0);
  const left = Math.max(0, Math.ceil((endsAt - now) / SECOND_MS));
  const isRunning = left > 0;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
  return {
    left,
    start: (seconds) => {
      setNow(Date.now());
      setEndsAt(Date.now() + seconds * SECOND_MS);
    },
  };
}
