#!/usr/bin/env node
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LEDGER_USAGE, ledger } from './commands/ledger.ts';
import { PAY_USAGE, pay } from './commands/pay.ts';
import { start } from './commands/start.ts';
import { VAULT_USAGE, vault } from './commands/vault.ts';
import { readStartSettings } from './config/env.ts';
import { describeFailure } from './kernel/plain-failure.ts';

const HERE = dirname(fileURLToPath(import.meta.url));
const PACKAGES = join(HERE, '..', '..');
const USAGE = `Usage: npm start\n${VAULT_USAGE}\n${LEDGER_USAGE}\n${PAY_USAGE}`;
const COMMANDS = ['start', 'vault', 'ledger'];

/** Ctrl-C, a service manager, or the end of the process that started this one. */
function onStopRequest(stop: () => void): void {
  let asked = false;
  const ask = () => {
    asked = true;
    stop();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, ask);
  process.once('disconnect', () => asked || ask());
}

// The terminal may be gone before the children are stopped.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

async function main(command: string | undefined, words: string[]): Promise<number> {
  if (command === 'pay') return pay(words, console.log);
  if (!command || !COMMANDS.includes(command)) {
    console.error(USAGE);
    return 2;
  }
  const settings = readStartSettings(join(PACKAGES, '..'));
  if (command === 'start') {
    return start({ settings, packages: PACKAGES, say: console.log, onStopRequest });
  }
  if (command === 'ledger') return ledger(words, { settings, packages: PACKAGES });
  return vault(words, settings.dataDir, console.log);
}

process.exitCode = await main(process.argv[2], process.argv.slice(3)).catch((error: unknown) => {
  console.error(describeFailure(error));
  return 1;
});
process.exit();
