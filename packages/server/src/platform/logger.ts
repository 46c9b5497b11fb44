import { maskCards } from '@florin/contract/card/scan.ts';
import { destination, type Logger, pino } from 'pino';

export type { Logger };

/** Lines that wait for standard output to take them again, before further ones are dropped. */
const WAITING_CHARS_MAX = 1024 ** 2;

/**
 * The process's log, one JSON object a line on standard output. Callers log named facts, never
 * bodies; as a second net every line passes a scanner that masks what looks like a card number.
 */
export function createLogger(level: string): Logger {
  const out = neverFailing(destination({ dest: 1, sync: false, maxLength: WAITING_CHARS_MAX }));
  const stream = { write: (line: string) => void out.write(maskCards(line)) };
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream);
}

/** A full disk or a closed pipe must not end the process: waiting lines go out when there is space again. */
function neverFailing(out: ReturnType<typeof destination>): typeof out {
  let failing = false;
  out.on('error', () => {
    failing = true;
  });
  out.on('write', () => {
    failing = false;
  });
  const flush = out.flushSync.bind(out);
  // At the end of the process the flush would try for ever.
  out.flushSync = () => failing || flush();
  return out;
}
