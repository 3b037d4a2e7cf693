import { useEffect, useState } from "react";

const nowSeconds = (): number => Math.floor(Date.now() / 1000);
const TICK_MS = 30_000;

/** The current time in unix seconds, updated every 30 seconds. */
export function useNowSeconds(): number {
  const [now, setNow] = useState(nowSeconds);
  useEffect(() => {
    const timer = setInterval(() => setNow(nowSeconds()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
