import { text } from 'node:stream/consumers';
import { type AtDatabaseOptions, atDatabase } from '../commands/at-database.ts';
import { PlainFailure } from '../kernel/plain-failure.ts';

export const CELL_USAGE = `       npm run florin -- cell create NAME ADDRESS [--dry-run]
           makes an empty database, or a schema of one, a cell: further merchants can be opened there
       npm run florin -- cell drain | open NAME [--dry-run]
           a draining cell takes no new merchants and serves those that it has; open ends that
       npm run florin -- cell move MERCHANT NAME [--account OLD=NEW]... [--cards RECEIPT] [--dry-run | --cancel]
           moves a merchant to another cell, and stops its writes for seconds
       npm run florin -- cell list
           the cells with their merchants, state and schema; exits with 1 while one has a problem
       npm run florin -- cell check
           compares the merchants of all cells with the directory; exits with 1 if one is in the wrong place`;

const CELL_HELP = `Usage:
${CELL_USAGE}

NAME has 1 to 31 lower-case letters, digits and _. ADDRESS is postgres://user@host:5432/name, and may end in ?schema=NAME;
its user owns the tables. For an address with a password, give - and write it to standard input: other users of the
machine can see arguments.
The address of this installation's own database makes that database a cell, with its merchants. Then restart its servers
and repeat the command, which enters what they have stored meanwhile.
MERCHANT is the id of a merchant. OLD is an account at a processor in the cell of the merchant, and NEW its account in the
other cell. RECEIPT is the file of "vault cards import" at the vault of the other cell. Florin finds accounts with the same identity at the processor itself.
--cancel ends a move whose command died before the directory switched.
--dry-run looks at the databases, and changes nothing. All commands can be repeated after a crash.`;

/** Creates, drains, opens, lists and checks cells, and moves merchants. Resolves with the exit code. */
export async function cell(words: string[], options: AtDatabaseOptions): Promise<number> {
  if (words.includes('--help')) {
    options.print(CELL_HELP);
    return 0;
  }
  const [command, ...rest] = words;
  if ((command === 'list' || command === 'check') && rest.length === 0)
    return atDatabase(options, 'cell.ts', { words });
  if (command === 'move' && rest.length >= 2) return atDatabase(options, 'cell.ts', { words });
  if (command === 'drain' || command === 'open') {
    const [cellName, ...given] = rest;
    if (!cellName || !areFlags(given)) throw new PlainFailure(CELL_HELP);
    return atDatabase(options, 'cell.ts', { words });
  }
  const [name, address, ...flags] = rest;
  if (command !== 'create' || !name || !address || !areFlags(flags))
    throw new PlainFailure(CELL_HELP);
  // The address may have a password, which the list of processes must not show.
  const input = address === '-' ? await text(process.stdin) : address;
  return atDatabase(options, 'cell.ts', { words: ['create', name, ...flags], input });
}

const areFlags = (flags: readonly string[]): boolean =>
  flags.length <= 1 && flags.every((flag) => flag === '--dry-run');
