import { maskCards } from '@florin/contract/card/scan.ts';
import { destination, type Logger, pino } from 'pino';

export type { Logger };

/**
 * The process's log, one JSON object a line on standard output. Callers log named facts, never
 * bodies; as a second net every line passes a scanner that masks what looks like a card number.
 */
export function createLogger(level: string): Logger {
  const out = destination({ dest: 1, sync: false });
  const stream = { write: (line: string) => void out.write(maskCards(line)) };
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream);
}
