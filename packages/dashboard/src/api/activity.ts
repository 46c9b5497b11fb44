/** Milliseconds after a key or click in which requests are the person's. Later ones are those of the page, such as polls. */
const OWN_MS = 10_000;
/** Milliseconds of typing without a request, after which one tells the server that the session is in use. */
const TELL_MS = 60_000;
/** Milliseconds between checks whether another window keeps the session alive. */
const RECHECK_MS = 60_000;
const EVENTS = ['pointerdown', 'keydown', 'wheel'] as const;

const time = { used: Date.now(), told: Date.now() };

/** Marks a request of the page, so that polls of an unattended page do not keep its session alive. */
export function activityHeaders(): Readonly<Record<string, string>> {
  const now = Date.now();
  if (now - time.used > OWN_MS) return { 'florin-background': '1' };
  time.told = now;
  return {};
}

interface IdleLimit {
  /** Milliseconds without keys and clicks after which the session may have ended. */
  readonly idle_ms: number;
  /** Reads from the server, which refuses if the session has ended. */
  readonly ask: () => void;
}

/** Calls `ask` while the person types without requests, and when the idle time is over. Returns a function that ends this. */
export function watchActivity({ idle_ms, ask }: IdleLimit): () => void {
  const askAgain = () => {
    ask();
    timer = setTimeout(askAgain, RECHECK_MS);
  };
  let timer = setTimeout(askAgain, idle_ms);
  const onUse = () => {
    time.used = Date.now();
    clearTimeout(timer);
    timer = setTimeout(askAgain, idle_ms);
    if (time.used - time.told < TELL_MS) return;
    time.told = time.used;
    ask();
  };
  for (const name of EVENTS) addEventListener(name, onUse, { passive: true });
  return () => {
    clearTimeout(timer);
    for (const name of EVENTS) removeEventListener(name, onUse);
  };
}
