#!/usr/bin/env node
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BACKUP_USAGE, backup } from './backup/backup-command.ts';
import { RESTORE_USAGE, restore } from './backup/restore-command.ts';
import { CELL_USAGE, cell } from './cells/cell-command.ts';
import { ADOPT_USAGE, adopt } from './commands/adopt.ts';
import { AUDIT_USAGE, audit } from './commands/audit.ts';
import { CHECK_USAGE, check } from './commands/check.ts';
import { CLOCK_USAGE, clockCommand } from './commands/clock.ts';
import { DOCTOR_USAGE, doctor } from './commands/doctor.ts';
import { HEALTH_USAGE, health } from './commands/health.ts';
import { LEDGER_USAGE, ledger } from './commands/ledger.ts';
import { LISTEN_USAGE, listenCommand } from './commands/listen.ts';
import { MIGRATE_USAGE, migrate } from './commands/migrate.ts';
import { OPERATOR_USAGE, operator } from './commands/operator.ts';
import { PAY_USAGE, pay } from './commands/pay.ts';
import { PROCESSORS_USAGE } from './commands/processors/help.ts';
import { processors } from './commands/processors/processors.ts';
import { SECRETS_USAGE, secrets } from './commands/secrets.ts';
import { SERVE_USAGE, serve } from './commands/serve.ts';
import { start } from './commands/start.ts';
import { TRIGGER_USAGE, triggerCommand } from './commands/trigger.ts';
import { vault } from './commands/vault.ts';
import { loadSecretFiles, readAccessSettings, readStartSettings } from './config/env.ts';
import { describeFailure, PlainFailure } from './kernel/plain-failure.ts';
import { VAULT_USAGE } from './vault/words.ts';

const HERE = dirname(fileURLToPath(import.meta.url));
const PACKAGES = join(HERE, '..', '..');
const ROOT = join(PACKAGES, '..');
const START_USAGE = `       npm start
           starts Florin; Ctrl-C stops it. Variables such as PORT=4001 configure it: a running
           Florin lists them at /docs/operate/configuration`;
const USAGE = [
  'Usage:',
  START_USAGE,
  SERVE_USAGE,
  CHECK_USAGE,
  HEALTH_USAGE,
  MIGRATE_USAGE,
  LISTEN_USAGE,
  TRIGGER_USAGE,
  CLOCK_USAGE,
  VAULT_USAGE,
  DOCTOR_USAGE,
  LEDGER_USAGE,
  AUDIT_USAGE,
  SECRETS_USAGE,
  OPERATOR_USAGE,
  CELL_USAGE,
  PROCESSORS_USAGE,
  BACKUP_USAGE,
  RESTORE_USAGE,
  ADOPT_USAGE,
  PAY_USAGE,
].join('\n');
/** Usage of commands that do not handle `--help`. */
const usageByCommand: Readonly<Record<string, string>> = {
  start: START_USAGE,
  serve: SERVE_USAGE,
  check: CHECK_USAGE,
  health: HEALTH_USAGE,
  migrate: MIGRATE_USAGE,
  listen: LISTEN_USAGE,
  trigger: TRIGGER_USAGE,
  clock: CLOCK_USAGE,
  vault: VAULT_USAGE,
  doctor: DOCTOR_USAGE,
  backup: BACKUP_USAGE,
  restore: RESTORE_USAGE,
  pay: PAY_USAGE,
};
const COMMANDS = [
  'start',
  'serve',
  'migrate',
  'vault',
  'doctor',
  'ledger',
  'audit',
  'secrets',
  'operator',
  'cell',
  'processors',
  'backup',
  'restore',
  'adopt',
];

/** Reports stop requests: Ctrl-C, a service manager's signal, or the end of the parent process. */
function onStopRequest(stop: () => void): void {
  let isRequested = false;
  const requestStop = () => {
    isRequested = true;
    stop();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, requestStop);
  process.once('disconnect', () => isRequested || requestStop());
}

// Output errors must not end the process: the terminal may close before the children have stopped.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

function createStopSignal(): AbortSignal {
  const stopping = new AbortController();
  onStopRequest(() => stopping.abort());
  return stopping.signal;
}

async function main(command: string | undefined, words: string[]): Promise<number> {
  const print = console.log;
  const usage = usageByCommand[command ?? ''];
  if (usage && words.includes('--help')) {
    print(`Usage:\n${usage}`);
    return 0;
  }
  loadSecretFiles();
  if (command === 'pay') return pay(words, print);
  if (command === 'health') return health(words, print);
  if (command === 'check') return check(words, print);
  if (command === 'trigger') {
    return triggerCommand(words, { settings: readAccessSettings(ROOT), print });
  }
  if (command === 'clock') {
    return clockCommand(words, { settings: readAccessSettings(ROOT), print });
  }
  if (command === 'listen') {
    const settings = readAccessSettings(ROOT);
    return listenCommand(words, { settings, print, signal: createStopSignal() });
  }
  if (!command || !COMMANDS.includes(command)) {
    const isHelp = command === '--help' || command === '-h' || command === 'help';
    (isHelp ? console.log : console.error)(USAGE);
    return isHelp ? 0 : 2;
  }
  const settings = readStartSettings(ROOT);
  if (command === 'start') {
    if (words.length > 0)
      throw new PlainFailure(`npm start does not know ${words[0]}.\n${START_USAGE}`);
    const terminal = process.stdout.isTTY === true;
    return start({ settings, packages: PACKAGES, print, terminal, onStopRequest });
  }
  if (command === 'serve') {
    return serve(words, { settings, packages: PACKAGES, print, onStopRequest });
  }
  if (command === 'migrate') return migrate(words, { settings, packages: PACKAGES });
  if (command === 'doctor') return doctor(words, { settings, packages: PACKAGES, print });
  if (command === 'ledger') return ledger(words, { settings, packages: PACKAGES, print });
  if (command === 'audit') return audit(words, { settings, packages: PACKAGES, print });
  if (command === 'secrets') return secrets(words, { settings, packages: PACKAGES, print });
  if (command === 'operator') return operator(words, { settings, packages: PACKAGES, print });
  if (command === 'cell') return cell(words, { settings, packages: PACKAGES, print });
  if (command === 'processors') return processors(words, { settings, packages: PACKAGES, print });
  if (command === 'backup') return backup(words, { settings, packages: PACKAGES, print });
  if (command === 'restore') return restore(words, { settings, packages: PACKAGES, print });
  if (command === 'adopt') return adopt(words, { settings, packages: PACKAGES, print });
  return vault(words, settings.dataDir, print);
}

process.exitCode = await main(process.argv[2], process.argv.slice(3)).catch((error: unknown) => {
  console.error(describeFailure(error));
  return 1;
});
process.exit();
