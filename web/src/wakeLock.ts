/** Keeps the screen on during a round, if the browser can. Call the returned function to stop. */
export function keepScreenOn(): () => void {
  let ended = false;
  let lock: WakeLockSentinel | null = null;
  const ask = async (): Promise<void> => {
    if (!("wakeLock" in navigator) || document.hidden || ended) return;
    // Refused (low battery, no permission): then the screen turns off as usual.
    lock = await navigator.wakeLock.request("screen").catch(() => null);
    if (ended) await lock?.release();
  };
  // A page that was hidden has lost it.
  const again = (): void => void ask();
  document.addEventListener("visibilitychange", again);
  void ask();
  return () => {
    ended = true;
    document.removeEventListener("visibilitychange", again);
    void lock?.release();
  };
}
