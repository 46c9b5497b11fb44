import { setTimeout as sleep } from 'node:timers/promises';
import type { Row } from '../../platform/database/row.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { StopState } from '../../services.ts';
import { appendCommand } from '../audit-log/sql.ts';
import { deleteStop, findStop, storeStop } from '../cells/sql/stops.ts';
import { STOPS_LIFE_MS } from '../cells/stops.ts';
import { ROUTING_LIFE_MS } from '../processor-accounts/accounts.ts';
import { cancelMove } from './cancel.ts';
import { copyMerchant } from './copy.ts';
import { handOverLines } from './hand-over-lines.ts';
import { holdCells, type LeaseDeps, LostLease, requireLease, withLease } from './lease.ts';
import { type LowerDeps, lowerOrReport } from './lower-or-report.ts';
import {
  type Both,
  findRefusals,
  findWaits,
  type MoveCandidate,
  requireRelease,
} from './obstacles.ts';
import { type MoveCell, type OpenDeps, openCell } from './open-cell.ts';
import { copyPeople, matchIntegrations } from './people.ts';
import { createReceiptReader } from './receipt.ts';
import { removeMerchant } from './remove.ts';
import { hasArrivedBy } from './sql/arrivals.ts';
import {
  claimMove,
  deleteMove,
  findPlace,
  type MoveLease,
  renewLease,
  storeCopyStep,
  switchCell,
} from './sql/directory.ts';
import { awaitWriters, raiseFence } from './sql/fence.ts';
import { readUnapplied, storePassedOn } from './sql/notifications.ts';
import { RULES, readOwnRules } from './sql/rules.ts';
import { readMovedTables } from './sql/tables.ts';
import type { MovedTable } from './tables.ts';

/** Time after which every process knows a stop: two lives of its cache. */
const KNOWN_MS = 2 * STOPS_LIFE_MS;
/** Time after which every process of the target routes by the rules that a move has stored. */
const ROUTED_MS = ROUTING_LIFE_MS + 500;
/** Longest wait for the triggers before the stop, and for messages in flight and open transactions during the stop. */
export const SETTLE_MS = 30_000;
const SETTLE_POLL_MS = 100;

export interface MoveDeps extends OpenDeps, LeaseDeps, LowerDeps {
  /** User who runs the command, for the audit logs. */
  readonly user: string;
  /** Default `SETTLE_MS`. */
  readonly settle_ms?: number;
  /** Default `KNOWN_MS`. */
  readonly known_ms?: number;
}

export interface MoveInput {
  readonly merchant_id: string;
  /** Name of the target. */
  readonly cell: string;
  readonly accounts: Readonly<Record<string, string>>;
  /** File with the receipt of the cards in the vault of the target. */
  readonly cards?: string | undefined;
  readonly dry_run: boolean;
  /** Ends a move that has begun, and serves the merchant in the source again. */
  readonly cancel?: boolean;
}

/** A move that this command has claimed. */
interface Move {
  readonly deps: MoveDeps;
  readonly id: string;
  readonly lease: MoveLease;
  readonly merchant_id: string;
  readonly candidate: MoveCandidate;
  readonly source: MoveCell;
  readonly target: MoveCell;
  readonly accounts: Readonly<Record<string, string>>;
  /** Time at which the first command began. */
  readonly began_at: string;
  readonly tables: readonly MovedTable[];
}

/**
 * Moves a merchant to another cell. Can be repeated after a crash at any step. Throws an `Error` for people before it stops the
 * merchant if something is in the way, and serves the merchant again if the copy fails.
 */
export async function moveMerchant(deps: MoveDeps, input: MoveInput): Promise<void> {
  const place = await findPlace(deps.global, input.merchant_id);
  if (!place)
    throw new Error('the directory has no such merchant: repeat "cell create" for its cell');
  if (place.move_id && place.target !== input.cell)
    throw new Error(
      `the merchant moves to ${place.target}: repeat the command with ${place.target} first`,
    );
  if (input.cancel) return cancelMove(deps, input.merchant_id, place);
  requireSameAccounts(place, input.accounts);
  if (!place.move_id && place.cell === input.cell)
    return deps.print(`The merchant is in the cell ${input.cell} already.`);
  const move_id = place.move_id ?? undefined;
  await using source = await openCell(deps, (place.source ?? place.cell) as string);
  await using target = await openCell(deps, input.cell);
  const both = { source: source.db, target: target.db };
  const isSwitched = place.step === 'remove';
  if (!isSwitched) {
    requireOpen(target, move_id);
    await requireRelease(both);
  }
  const given = { ...JSON.parse(place.accounts ?? '{}'), ...input.accounts };
  const readReceipt = input.cards === undefined ? undefined : createReceiptReader(input.cards);
  const candidate = { merchant_id: input.merchant_id, move_id, accounts: given, readReceipt };
  // A complete copy cannot be checked again: the command has to finish what it began.
  const isCopied = isSwitched || (move_id && (await hasArrived(target, candidate)));
  const { refusals, accounts } = isCopied
    ? { refusals: [], accounts: given }
    : await findRefusals(both, candidate, deps.clock.now());
  if (input.dry_run) return await report(deps, input, { ...both, candidate }, refusals);
  if (refusals.length > 0) throw new Error(`the merchant cannot move:\n${listed(refusals)}`);
  const tables = await readMovedTables(source.db);
  await claimed(deps, { candidate: { ...candidate, accounts }, source, target, tables }, runMove);
}

/** The copy has the accounts of the first command, or may have them. */
function requireSameAccounts({ step, accounts }: Row, given: MoveInput['accounts']): void {
  if (!step || step === 'stop') return;
  const begun: MoveInput['accounts'] = JSON.parse(accounts as string);
  const [other] = Object.entries(given).find(([id, to]) => begun[id] !== to) ?? [];
  if (other === undefined) return;
  throw new Error(
    `the copy has begun with ${begun[other] ?? 'no account'} in place of the account ${other}: repeat the command without --account ${other}`,
  );
}

const listed = (lines: readonly string[]): string => lines.map((line) => `  ${line}`).join('\n');

/** A move that has begun ends, also while its target drains. */
function requireOpen(
  { name, state }: { readonly name: string; readonly state: string },
  move_id: string | undefined,
): void {
  if (move_id === undefined && state !== 'open')
    throw new Error(`the cell ${name} is ${state}: it takes no merchants`);
}

/** Prints what a move would do. Throws if something is in the way, so that a script sees it. */
async function report(
  { print, clock }: MoveDeps,
  { cell }: MoveInput,
  { candidate, ...both }: Both & { readonly candidate: MoveCandidate },
  refusals: readonly string[],
): Promise<void> {
  const waits = await findWaits(both, candidate, clock.now());
  if (waits.length > 0) print(`Now in the way, and may end by itself:\n${listed(waits)}`);
  if (refusals.length > 0) throw new Error(`the merchant cannot move:\n${listed(refusals)}`);
  print(`Would move the merchant to the cell ${cell}.`);
}

type ClaimInput = Pick<Move, 'candidate' | 'source' | 'target' | 'tables'>;

/** Runs `work` with the lease of the move. */
async function claimed(
  deps: MoveDeps,
  { candidate, source, target, tables }: ClaimInput,
  work: (move: Move, step: string) => Promise<void>,
): Promise<void> {
  const { merchant_id, accounts } = candidate;
  const claim = {
    merchant_id,
    id: uuidv7(deps.clock.now()),
    from_cell_id: source.id,
    to_cell_id: target.id,
    accounts: JSON.stringify(accounts),
  };
  const run = async (row: Row, lease: MoveLease) => {
    await holdCells(deps.global, lease, [source, target]);
    await requirePlace(deps, row, lease, { source_id: source.id, is_new: row.id === claim.id });
    const found = { id: row.id as string, began_at: row.created_at as string };
    const parts = { deps, lease, merchant_id, candidate, source, target, tables };
    const move = { ...parts, ...found, accounts: JSON.parse(row.accounts as string) };
    await work(move, row.step as string);
  };
  await withLease(deps, claim, run, claimMove);
}

/** Another command may have moved the merchant after this one had read the directory. The move of another command stays. */
async function requirePlace(
  { global }: MoveDeps,
  { step }: Row,
  lease: MoveLease,
  { source_id, is_new }: { readonly source_id: string; readonly is_new: boolean },
): Promise<void> {
  const place = await findPlace(global, lease.merchant_id);
  if (step === 'remove' || place?.cell_id === source_id) return;
  if (is_new) await deleteMove(global, lease);
  throw new Error(`the merchant has moved to the cell ${place?.cell} meanwhile`);
}

/** The steps of a move from where it is. */
async function runMove(move: Move, step: string): Promise<void> {
  const { deps, source, target } = move;
  if (step !== 'remove') {
    await logMove(move, 'begin');
    const stopped_at = await prepared(move);
    await requireLease(switchCell(deps.global, move.lease));
    deps.print(`The directory names the cell ${target.name}.`);
    await endStop(move);
    const stopped_ms = Math.round(performance.now() - stopped_at);
    deps.print(
      `The cell ${target.name} serves the merchant, after ${stopped_ms} ms without writes.`,
    );
  } else {
    await requireArrived(move);
    await endStop(move);
  }
  await requireArrived(move);
  const { merchant_id, tables } = move;
  const removed = await removeMerchant(source.db, { merchant_id, tables, print: deps.print });
  deps.print(`Deleted ${removed} rows in the cell ${source.name}.`);
  await lowerOrReport(source.db, deps);
  await logMove(move, 'end');
  await requireLease(deleteMove(deps.global, move.lease));
  // Processes of the target answer 503 until they know that the stop has ended.
  await sleep(deps.known_ms ?? KNOWN_MS);
  deps.print(`The merchant has moved to the cell ${target.name}.`);
}

/** The rows of the source may be the newest: the target may have been restored to a time before the copy. */
async function requireArrived({ source, target, merchant_id, id }: Move): Promise<void> {
  if (await hasArrivedBy(target.db, merchant_id, id)) return;
  throw new Error(
    `the cell ${target.name} has lost the copy of the merchant, so the rows in ${source.name} stay: restore ${target.name} to a time after the copy, then repeat the command`,
  );
}

/**
 * Stops the merchant and copies its rows. Serves the merchant again after a failure, unless the copy may be complete. Returns
 * the time of the stop.
 */
async function prepared(move: Move): Promise<number> {
  const began = performance.now();
  try {
    return (await hasCopy(move)) ? began : await copyStopped(move);
  } catch (error) {
    await release(move, error as Error);
    throw error;
  }
}

/** Whether an earlier command has committed the copy. */
async function hasCopy({ target, merchant_id, id, deps }: Move): Promise<boolean> {
  const isThere = await hasArrived(target, { merchant_id, move_id: id });
  if (isThere) deps.print(`The cell ${target.name} has the copy of an earlier command.`);
  return isThere;
}

async function hasArrived(
  { db }: MoveCell,
  { merchant_id, move_id }: Pick<MoveCandidate, 'merchant_id' | 'move_id'>,
): Promise<boolean> {
  const stop = await findStop(db, merchant_id);
  return stop?.state === 'arriving' && stop.move_id === move_id;
}

async function copyStopped(move: Move): Promise<number> {
  const { deps, source, target, merchant_id, tables } = move;
  await copyPeople(source.db, target.db, deps.global, merchant_id);
  const integrations = await matchIntegrations(source.db, target.db, merchant_id, deps.clock);
  // While the merchant is served: a table may be busy for long.
  await raiseFence(source.db, [...tables, RULES], deps.settle_ms ?? SETTLE_MS);
  const stopped_at = performance.now();
  await stopWrites(move);
  await fenceSettled(move);
  await requireLease(storeCopyStep(deps.global, move.lease));
  deps.print('Nothing of the merchant is in flight. Copying.');
  const { rows } = await copyMerchant(
    { source: source.db, target: target.db },
    {
      merchant_id,
      move_id: move.id,
      source_name: source.name,
      tables,
      accounts: move.accounts,
      integrations,
      arrives_at: instantText(deps.clock.now()),
    },
  );
  deps.print(
    `Copied ${rows} rows of ${tables.length} tables. Both cells have the same, and the ledger is right.`,
  );
  return stopped_at;
}

/** The fence of an earlier command stays. */
async function stopWrites(move: Move): Promise<void> {
  const { deps, source, merchant_id } = move;
  const before = await findStop(source.db, merchant_id);
  if (before?.state === 'fenced' && before.move_id === move.id) return;
  await stop(move, 'leaving');
  deps.print(`The cell ${source.name} takes no writes of the merchant.`);
  await sleep(deps.known_ms ?? KNOWN_MS);
}

const stop = ({ deps, source, target, merchant_id, id }: Move, state: StopState) =>
  storeStop(source.db, {
    merchant_id,
    move_id: id,
    state,
    other_cell: target.name,
    at: instantText(deps.clock.now()),
  });

/** Waits until nothing is in flight, and shuts out all writers. Work that began meanwhile opens the fence again. */
async function fenceSettled(move: Move): Promise<void> {
  const { deps, source, target, candidate, tables } = move;
  const until = performance.now() + (deps.settle_ms ?? SETTLE_MS);
  const both = { source: source.db, target: target.db };
  const findNow = () => findWaits(both, candidate, deps.clock.now());
  for (;;) {
    let waits = await findNow();
    if (waits.length === 0) {
      await stop(move, 'fenced');
      await awaitWriters(source.db, [...tables, RULES], until);
      waits = await findNow();
      if (waits.length === 0) return;
      await stop(move, 'leaving');
    }
    if (performance.now() >= until)
      throw new Error(
        `the merchant is served again, because this did not end in time:\n${listed(waits)}`,
      );
    await sleep(SETTLE_POLL_MS);
  }
}

/** Serves the merchant in the source again, if this command has the move and the target certainly has no copy. */
async function release(move: Move, error: Error): Promise<void> {
  const { deps, source, target, merchant_id, id, lease } = move;
  if (error instanceof LostLease || !(await renewLease(deps.global, lease))) return;
  if (await hasCopy(move)) return;
  await deleteStop(source.db, { merchant_id, move_id: id }, ['leaving', 'fenced']);
  await lowerOrReport(source.db, deps);
  if (!(await deleteMove(deps.global, lease))) return;
  deps.print(
    `The cell ${source.name} serves the merchant as before. Nothing was copied to ${target.name}.`,
  );
}

/** Ends the service of the source before the target begins, so that two cells never serve the merchant. */
async function endStop(move: Move): Promise<void> {
  await stop(move, 'moved');
  await sleep(move.deps.known_ms ?? KNOWN_MS);
  await passOn(move);
  await handOver(move);
  const { merchant_id, id, target } = move;
  if ((await readOwnRules(target.db, merchant_id)).length > 0) await sleep(ROUTED_MS);
  await deleteStop(target.db, { merchant_id, move_id: id }, ['arriving']);
}

/** Gives the target what processors told the source while nothing could be written. */
async function passOn({ source, target, accounts, began_at, deps }: Move): Promise<void> {
  const notifications = await readUnapplied(source.db, Object.keys(accounts), began_at);
  const at = instantText(deps.clock.now());
  for (const row of notifications)
    await storePassedOn(target.db, row, accounts[row.processor_account_id as string] as string, at);
  if (notifications.length > 0)
    deps.print(`Passed on ${notifications.length} notifications of processors.`);
}

/** Gives the target the lines of settlement that no cell compared while the merchant moved. */
async function handOver({ source, target, merchant_id, accounts, deps }: Move): Promise<void> {
  const at = instantText(deps.clock.now());
  const count = await handOverLines(source.db, target.db, { merchant_id, accounts, at });
  if (count > 0) deps.print(`Handed over ${count} lines of settlement.`);
}

/** An entry in the log of each database, since each has a chain of its own. */
async function logMove(move: Move, what: 'begin' | 'end'): Promise<void> {
  const { deps, source, target, merchant_id } = move;
  const command = `cell move ${what}`;
  const subject = `${merchant_id} ${source.name} ${target.name}`;
  for (const db of [source.db, target.db])
    await appendCommand(db, { command, subject, user: deps.user });
}
