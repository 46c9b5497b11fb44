import { maskCards } from '@florin/contract/card/scan.ts';
import { destination, type Logger, pino } from 'pino';

export type { Logger };

/** Buffered characters for a blocked standard output; further lines are dropped. */
const WAITING_CHARS_MAX = 1024 ** 2;

/**
 * The process's log: one JSON object a line on standard output. Callers log named facts, never
 * bodies. As a second net, every line passes a scanner that masks card numbers.
 */
export function createLogger(level: string): Logger {
  const out = neverFailing(destination({ dest: 1, sync: false, maxLength: WAITING_CHARS_MAX }));
  const stream = { write: (line: string) => void out.write(maskCards(line)) };
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream);
}

/**
 * A full disk or a closed pipe must not end the process: buffered lines are written when there is
 * space again.
 */
function neverFailing(out: ReturnType<typeof destination>): typeof out {
  let failing = false;
  out.on('error', () => {
    failing = true;
  });
  out.on('write', () => {
    failing = false;
  });
  const flush = out.flushSync.bind(out);
  // At the end of the process the flush would retry for ever.
  out.flushSync = () => failing || flush();
  return out;
}
