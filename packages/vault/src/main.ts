import { createVault, type Vault } from './app.ts';
import { configFromEnv } from './config/env.ts';
import { StartupError } from './kernel/errors.ts';
import { dropCards } from './kernel/log-guard.ts';
import { faultOf } from './kernel/logger.ts';

// A full disk or a closed pipe behind standard error must not end the process.
process.stderr.on('error', () => {});

const startVault = async (): Promise<Vault> => createVault(configFromEnv());

const startedVault = startVault();

let isStopping = false;

async function stop(): Promise<void> {
  // A repeated signal must not interrupt the shutdown.
  if (isStopping) return;
  isStopping = true;
  const vault = await startedVault.catch(() => undefined);
  await vault?.[Symbol.asyncDispose]();
  process.exit();
}

process.once('SIGTERM', stop);
// The vault stops when its parent process disconnects. After Ctrl-C the parent stops the vault, so SIGINT is
// ignored while the parent is connected.
process.once('disconnect', stop);
process.on('SIGINT', () => process.connected || stop());

const FREE_SPACE = ' The disk of its keys is full: free some space, and start again.';
/** Advice by code of the system, or of PostgreSQL for a restored database. */
const ADVICE_BY_CODE: Readonly<Record<string, string>> = {
  ENOSPC: FREE_SPACE,
  EDQUOT: FREE_SPACE,
  '42P07':
    ' The schema vault has tables that its user does not own, as after a restore without that user. See docs/pages/operate/backup.md.',
};

const messageOf = (error: unknown): string =>
  error instanceof StartupError
    ? dropCards(error.message)
    : `The vault could not start (${faultOf(error)}).${ADVICE_BY_CODE[faultOf(error)] ?? ''}`;

startedVault.then(
  () => process.connected && process.send?.({ type: 'ready' }),
  (error: unknown) => {
    const message = messageOf(error);
    console.error(message);
    if (!process.connected) process.exit(1);
    process.send?.({ type: 'failed', message }, () => process.exit(1));
  },
);
