import { createVault, type Vault } from './app.ts';
import { configFromEnv } from './config/env.ts';
import { StartupError } from './kernel/errors.ts';
import { dropCards } from './kernel/log-guard.ts';
import { faultOf } from './kernel/logger.ts';

// Standard error may be a full disk or closed pipe, which must not end the process.
process.stderr.on('error', () => {});

const start = async (): Promise<Vault> => createVault(configFromEnv());

const starting = start();

let stopping = false;

async function stop(): Promise<void> {
  // A second call must not interrupt the first.
  if (stopping) return;
  stopping = true;
  const vault = await starting.catch(() => undefined);
  await vault?.[Symbol.asyncDispose]();
  process.exit();
}

process.once('SIGTERM', stop);
// A killed parent takes the vault with it; a living parent stops the vault itself after Ctrl-C.
process.once('disconnect', stop);
process.on('SIGINT', () => process.connected || stop());

/** Advice for faults of a restored database, by PostgreSQL's error code. */
const CAUSES: Readonly<Record<string, string>> = {
  '42P07':
    ' Tables of schema vault are there that its user does not own, as after a restore without that user. docs/backup.md says how to restore.',
};

const messageOf = (error: unknown): string =>
  error instanceof StartupError
    ? dropCards(error.message)
    : `The vault could not start (${faultOf(error)}).${CAUSES[faultOf(error)] ?? ''}`;

starting.then(
  () => process.connected && process.send?.({ type: 'ready' }),
  (error: unknown) => {
    const message = messageOf(error);
    console.error(message);
    if (!process.connected) process.exit(1);
    process.send?.({ type: 'failed', message }, () => process.exit(1));
  },
);
