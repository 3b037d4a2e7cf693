import { useEffect, useState } from "react";

const nowSeconds = (): number => Math.floor(Date.now() / 1000);
const TICK_MS = 30_000;

/** The present moment in unix seconds, moving every half minute. */
export function useNowSeconds(): number {
  const [now, setNow] = useState(nowSeconds);
  useEffect(() => {
    const timer = setInterval(() => setNow(nowSeconds()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
