import { removeFolders } from './folders.ts';
import { interrupt, interruption } from './interruption.ts';
import { endStep } from './progress.ts';
import { writtenFile } from './results.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const INTERRUPTED = 130;

/**
 * Runs a command of the bench and ends the process. The first signal makes `untilInterrupted` reject: `main` then
 * disposes what it opened, and the exit code is 130. A second signal ends at once.
 */
export async function runCommand(main: () => Promise<void>): Promise<never> {
  listenForSignals();
  try {
    await main();
  } catch (error) {
    process.exitCode = 1;
    endStep();
    if (!interruption.aborted) console.error(describeError(error));
  }
  removeFolders();
  const file = writtenFile();
  if (interruption.aborted) console.log(`\nInterrupted. ${describeResults(file)}`);
  else if (file) console.log(`\nThe figures of each round are in ${file}.`);
  process.exit(interruption.aborted ? INTERRUPTED : process.exitCode);
}

const describeResults = (file: string | undefined): string =>
  file ? `Results until then are in ${file}.` : 'Nothing was written.';

function listenForSignals(): void {
  for (const signal of SIGNALS) process.on(signal, onSignal);
  process.once('disconnect', () => interruption.aborted || onSignal());
  // Playwright's listeners would end this process before Florin has stopped.
  process.on('newListener', (event, listener) => {
    const isSignal = SIGNALS.some((signal) => signal === event);
    if (isSignal) queueMicrotask(() => process.off(event, listener));
  });
}

function onSignal(): void {
  if (interruption.aborted) process.exit(INTERRUPTED);
  endStep();
  console.error('Stopping. A second signal ends at once.');
  // Work in progress fails while Florin stops, in promises and sockets that nobody waits for.
  for (const event of ['unhandledRejection', 'uncaughtException']) process.on(event, () => {});
  interrupt();
}

const BUGS = [TypeError, ReferenceError, RangeError, SyntaxError];

/** The message of an expected error, or the stack of a bug. */
export function describeError(error: unknown): string {
  if (error instanceof SuppressedError) return describeError(error.suppressed);
  if (!(error instanceof Error)) return String(error);
  const isBug = BUGS.some((kind) => error instanceof kind);
  return (isBug && error.stack) || error.message;
}
