import { maskCards } from '@florin/contract/card/scan.ts';
import { destination, type Logger, pino } from 'pino';

export type { Logger };

/** Maximum characters buffered while standard output is blocked. Further lines are dropped. */
const WAITING_CHARS_MAX = 1024 ** 2;
const STANDARD_OUTPUT = 1;

/**
 * The process's log: one JSON object per line on standard output, or on another open file. Callers log named facts, never bodies. As a
 * second defence, a scanner masks card numbers in every line. `onDrop` is called for each dropped line.
 */
export function createLogger(
  level: string,
  onDrop: () => void = () => {},
  fd = STANDARD_OUTPUT,
): Logger {
  const out = withIgnoredErrors(
    destination({ dest: fd, sync: false, maxLength: WAITING_CHARS_MAX }),
  );
  out.on('drop', onDrop);
  const stream = { write: (line: string) => void out.write(maskCards(line)) };
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream);
}

/**
 * Wraps standard output so that a full disk or closed pipe does not end the process. Writes buffered lines
 * once there is space again.
 */
function withIgnoredErrors(out: ReturnType<typeof destination>): typeof out {
  let isFailing = false;
  out.on('error', () => {
    isFailing = true;
  });
  out.on('write', () => {
    isFailing = false;
  });
  const flush = out.flushSync.bind(out);
  // Flushing at exit would otherwise retry forever.
  out.flushSync = () => isFailing || flush();
  return out;
}
