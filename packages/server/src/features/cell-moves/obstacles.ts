import type { Db } from '../../platform/database/db.ts';
import { factOf } from '../../platform/database/installation/installation-facts.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Micros } from '../../platform/time/clock.ts';
import { countWorkers } from '../../platform/workers/heartbeats.ts';
import { schemaVersion } from '../cells/sql/probe.ts';
import { findStop } from '../cells/sql/stops.ts';
import { dayOf } from '../settlement/days.ts';
import {
  describeReleaseDifference,
  describeRuleOrder,
  describeSettlementDifference,
} from './decide.ts';
import { matchAccounts } from './match-accounts.ts';
import type { ReadReceipt } from './receipt.ts';
import { readAccounts, readUsedAccounts } from './sql/accounts.ts';
import {
  countCardsWithout,
  countEntriesWithout,
  findBlockers,
  isMerchantThere,
  needsVault,
  readSettledDays,
  usesNetwork,
} from './sql/blockers.ts';
import { countRules, readLateRules } from './sql/rules.ts';
import { readMovedTables } from './sql/tables.ts';
import { describeTableDifference } from './tables.ts';

export interface Both {
  readonly source: Db;
  readonly target: Db;
}

/** A merchant that shall move, with what an operator gave. */
export interface MoveCandidate {
  readonly merchant_id: string;
  /** Id of a move that has begun. */
  readonly move_id: string | undefined;
  /** Accounts at processors of the source, each with that of the target. */
  readonly accounts: Readonly<Record<string, string>>;
  /** Reads which cards the vault of the target has; absent without a receipt. */
  readonly readReceipt: ReadReceipt | undefined;
}

export interface Obstacles {
  /** Why the merchant cannot move before an operator changes something. */
  readonly refusals: readonly string[];
  readonly accounts: Readonly<Record<string, string>>;
}

/** Throws an `Error` for people unless both cells have the migrations of this release: other statements may fail there. */
export async function requireRelease(both: Both): Promise<void> {
  for (const [name, cell] of Object.entries(both)) {
    const difference = describeReleaseDifference(name, await schemaVersion(cell));
    if (difference) throw new Error(difference);
  }
}

/** Finds what does not end by itself. Reads both cells, and changes nothing. */
export async function findRefusals(
  both: Both,
  candidate: MoveCandidate,
  now: Micros,
): Promise<Obstacles> {
  const { source, target } = both;
  const { merchant_id } = candidate;
  const difference = describeTableDifference(
    await readMovedTables(source),
    await readMovedTables(target),
  );
  const { accounts, problems } = matchAccounts(
    merchant_id,
    await readUsedAccounts(source, merchant_id),
    await readAccounts(target),
    candidate.accounts,
  );
  const found = [
    difference && `${difference}: bring both cells to one version of Florin`,
    ...(await closedCells(both)),
    await describeWorkers(target, now),
    await describePresence(target, candidate),
    await describeNetworks(both, merchant_id),
    await describeCards(both, candidate),
    ...describeRuleOrder(
      await readLateRules(source, merchant_id),
      await countRules(source, merchant_id),
      await countRules(target, merchant_id),
    ),
  ];
  return { refusals: [...found.filter((text) => text !== undefined), ...problems], accounts };
}

/** Without work loops, payments of the merchant would wait. */
async function describeWorkers(target: Db, now: Micros): Promise<string | undefined> {
  return (await countWorkers(target, now)) > 0
    ? undefined
    : 'no work loops run in the target: start its servers and workers';
}

async function closedCells({ source, target }: Both): Promise<string[]> {
  const cells = Object.entries({ source, target });
  const closed = await Promise.all(
    cells.map(async ([name, cell]) =>
      (await factOf(cell, 'restored')) === undefined
        ? []
        : [`the ${name} was restored and is closed: run "restore open" there`],
    ),
  );
  return closed.flat();
}

/** A merchant in the target would be another copy, unless this move has made it. */
async function describePresence(
  target: Db,
  { merchant_id, move_id }: MoveCandidate,
): Promise<string | undefined> {
  const present = await isMerchantThere(target, merchant_id);
  const stop = await findStop(target, merchant_id);
  if (!present || (stop?.state === 'arriving' && stop.move_id === move_id)) return undefined;
  return stop?.state === 'moved'
    ? 'the target still has rows from before the merchant left it: repeat the command that moved it here'
    : 'the target has the merchant already';
}

/** Payments of the simulated network are known to one network only. */
async function describeNetworks(
  { source, target }: Both,
  merchant_id: string,
): Promise<string | undefined> {
  if (!(await usesNetwork(source, merchant_id))) return undefined;
  const [one, other] = [await factOf(source, 'card_network'), await factOf(target, 'card_network')];
  return one === other
    ? undefined
    : 'the merchant has payments at the simulated network of the source, and the target has another one: reset the sandbox, or share the network';
}

/** Cards and listed fingerprints must be in the vault of the target: both cells have one vault, or a receipt says so. */
async function describeCards(
  { source, target }: Both,
  { merchant_id, readReceipt }: MoveCandidate,
): Promise<string | undefined> {
  if (!(await needsVault(source, merchant_id))) return undefined;
  const [one, other] = [await factOf(source, 'vault'), await factOf(target, 'vault')];
  if (one !== undefined && one === other) return undefined;
  if (!readReceipt)
    return 'the merchant has stored cards, or lists that name cards, and the cells have different vaults: move the cards with "vault cards", and give --cards RECEIPT';
  const receipt = await readReceipt();
  return receipt.vault_id === other && receipt.merchant_id === merchant_id
    ? undefined
    : 'the receipt of --cards is about another vault or merchant';
}

const NO_DIGESTS: ReadonlySet<string> = new Set();

/** Cards and fingerprints that the vault of the target lacks. */
async function findMissingCards(
  { source, target }: Both,
  { merchant_id, readReceipt }: MoveCandidate,
): Promise<string[]> {
  const [one, other] = [await factOf(source, 'vault'), await factOf(target, 'vault')];
  if (one === other) return [];
  // Without a receipt, the first card may have been stored after the refusals were found.
  const digests = readReceipt ? (await readReceipt()).digests : NO_DIGESTS;
  const cards = await countCardsWithout(source, merchant_id, digests);
  const entries = await countEntriesWithout(source, merchant_id, digests);
  const missing = [
    cards > 0 && `${cards} stored cards`,
    entries > 0 && `${entries} entries of lists that name cards`,
  ].filter((text) => text !== false);
  return missing.map((text) =>
    readReceipt
      ? `${text} that the receipt lacks: run "vault cards" again, and replace the receipt`
      : `${text} that the target lacks: move them with "vault cards", and give --cards RECEIPT`,
  );
}

/** Finds obstacles that end by themselves, once nothing new begins. */
export async function findWaits(
  both: Both,
  candidate: MoveCandidate,
  now: Micros,
): Promise<string[]> {
  const { source, target } = both;
  const { merchant_id } = candidate;
  const waits = [
    ...(await findBlockers(source, merchant_id)),
    ...(await findMissingCards(both, candidate)),
  ];
  if (!(await usesNetwork(source, merchant_id))) return waits;
  const days: readonly Row[][] = [await readSettledDays(source), await readSettledDays(target)];
  const [sourceDays = [], targetDays = []] = days;
  return [...waits, ...describeSettlementDifference(sourceDays, targetDays, dayOf(now))];
}
