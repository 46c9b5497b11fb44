import {
  commandUserFromEnv,
  databaseFromEnv,
  globalDatabaseFromEnv,
  secretsFromEnv,
} from '../config/env.ts';
import { appendCommand } from '../features/audit-log/sql.ts';
import { checkCells } from '../features/cell-moves/check.ts';
import { isMerchantId, readMoveWords } from '../features/cell-moves/decide.ts';
import { moveMerchant } from '../features/cell-moves/move.ts';
import { type CellDeps, createCell } from '../features/cells/create.ts';
import { setCellState } from '../features/cells/drain.ts';
import { describeCells, listText } from '../features/cells/list.ts';
import { ownSecretsKeys } from '../features/webhooks/signing/own-keys.ts';
import { createSealer } from '../platform/crypto/sealer.ts';
import { type Database, openDatabase } from '../platform/database/db.ts';
import { openCopySession } from '../platform/database/wire/copy.ts';
import { systemClock } from '../platform/time/clock.ts';

const print = (line: string): boolean => process.stdout.write(`${line}\n`);
const open = (url: string): Database => openDatabase({ url, connections_max: 1 });

/** `create NAME [--dry-run]`, with the address on standard input, `drain | open NAME [--dry-run]`, `list` or `check`. */
async function main([command, name = '', ...flags]: readonly string[]): Promise<number> {
  const global_url = globalDatabaseFromEnv();
  await using global = open(global_url);
  const sealer = createSealer(await ownSecretsKeys({ db: global, config: secretsFromEnv() }));
  const deps: CellDeps = { global, global_url, sealer, clock: systemClock(), open, print };
  if (command === 'list') {
    const cells = await describeCells(deps);
    print(listText(cells));
    return cells.some(({ problem }) => problem) ? 1 : 0;
  }
  if (command === 'check') {
    const { text, is_ok } = await checkCells(deps);
    print(text);
    return is_ok ? 0 : 1;
  }
  if (command === 'move') {
    await move(deps, name, flags);
    return 0;
  }
  const dry_run = flags.includes('--dry-run');
  if (command === 'drain' || command === 'open') {
    if (!dry_run) await logCommand(global, command, name);
    const state = command === 'drain' ? 'draining' : 'open';
    await setCellState(deps, { name, state, dry_run });
    return 0;
  }
  const address = await readStandardInput();
  if (!dry_run) await logCommand(global, 'create', name);
  await createCell(deps, { name, address, dry_run });
  if (!dry_run && databaseFromEnv() !== address)
    print(
      'Serve it with DATABASE_URL of the cell, and FLORIN_GLOBAL_DATABASE_URL of this database.',
    );
  return 0;
}

async function move(
  deps: CellDeps,
  merchant_id: string,
  [cell = '', ...words]: readonly string[],
): Promise<void> {
  if (!isMerchantId(merchant_id)) throw new Error(`${merchant_id} is no id of a merchant`);
  const given = readMoveWords(words);
  const user = commandUserFromEnv();
  await moveMerchant({ ...deps, connect: openCopySession, user }, { merchant_id, cell, ...given });
}

const logCommand = (global: Database, command: string, subject: string): Promise<unknown> =>
  appendCommand(global, { command: `cell ${command}`, subject, user: commandUserFromEnv() });

async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8').trim();
}

/** PostgreSQL's code for a table that does not exist. */
const UNDEFINED_TABLE = '42P01';

function describeFailure({ message, code }: Error & { readonly code?: string }): string {
  const next_step =
    code === UNDEFINED_TABLE
      ? ' Run "npm run florin -- migrate" for the global database, or start this version of Florin once.'
      : '';
  return `Nothing more was changed: ${message.replace(/\.$/, '')}.${next_step}\n`;
}

process.exitCode = await main(process.argv.slice(2)).catch((error: Error) => {
  process.stderr.write(describeFailure(error));
  return 1;
});
