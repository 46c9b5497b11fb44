import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Logger } from '../../platform/logger.ts';
import type { ProcessorAccount, ProcessorAccounts } from '../../processors/accounts.ts';
import type { ProcessorAdapter } from '../../processors/port/define-adapter.ts';
import type { RoutingRule } from '../../processors/routing-rule.ts';
import { ruleOf } from './rules.ts';
import { selectAccounts, selectRules } from './sql.ts';

export type Adapters = Readonly<Record<string, ProcessorAdapter>>;

/** Maximum number of accounts of an installation, with the removed ones. */
export const ACCOUNTS_MAX = 2_000;

/**
 * Milliseconds after which payments are no longer routed by what the process has read. A move of a merchant waits longer
 * before another cell routes by rules that it has stored.
 */
export const ROUTING_LIFE_MS = 1_500;

interface AccountsOptions {
  readonly db: Db;
  /** Default: that of the process. */
  readonly monotonic_ms?: () => number;
  readonly adapters: Adapters;
  readonly logger: Logger;
}

interface StartedRead {
  readonly at: number;
  readonly done: Promise<void>;
}

/** Reads all accounts and keeps them in memory. Rejects if the database does not answer. */
export async function createProcessorAccounts(
  options: AccountsOptions,
): Promise<ProcessorAccounts> {
  let readText = '';
  let accounts = new Map<string, ProcessorAccount>();
  let rules: readonly RoutingRule[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  const { monotonic_ms = () => performance.now() } = options;
  const read = async (db: Db): Promise<void> => {
    const readStart = monotonic_ms();
    const rows = await selectAccounts(db, ACCOUNTS_MAX);
    const live = await selectRules(db, 'live');
    const ruleRows = [...live, ...(await selectRules(db, 'sandbox'))];
    // A read that began later may have ended first.
    if (readStart < readAt) return;
    readAt = readStart;
    const text = JSON.stringify([rows, ruleRows]);
    if (text === readText) return;
    readText = text;
    rules = ruleRows.map(ruleOf);
    accounts = new Map(
      rows.flatMap((row) => connectRow(options, row)).map((account) => [account.id, account]),
    );
  };
  const isFresh = (at: number): boolean => monotonic_ms() - at <= ROUTING_LIFE_MS;
  let newest: StartedRead | undefined;
  const refresh = (): Promise<void> => {
    const started: StartedRead = {
      at: monotonic_ms(),
      done: read(options.db).finally(() => forget(started)),
    };
    newest = started;
    return started.done;
  };
  const forget = (ended: StartedRead): void => {
    if (newest === ended) newest = undefined;
  };
  await refresh();
  return {
    refresh,
    async requireFresh(tx) {
      if (isFresh(readAt)) return;
      // Through PgBouncer, transactions that wait for another connection could hold all of them.
      if (tx) await read(tx);
      else await (newest && isFresh(newest.at) ? newest.done : refresh());
    },
    rulesFor: ({ merchant_id, mode }) =>
      rules.filter(
        (rule) =>
          rule.mode === mode && (rule.merchant_id === null || rule.merchant_id === merchant_id),
      ),
    find: (id) => accounts.get(id),
    all: () => [...accounts.values()],
    enabledFor: ({ merchant_id, mode }) =>
      [...accounts.values()]
        .filter((account) => account.status === 'enabled' && account.mode === mode)
        .filter((account) => account.merchant_id === null || account.merchant_id === merchant_id)
        .sort((a, b) => Number(a.merchant_id === null) - Number(b.merchant_id === null)),
  };
}

/** Connects an account. Attempts of an account without a registered adapter stay open. */
function connectRow({ adapters, logger }: AccountsOptions, row: Row): ProcessorAccount[] {
  const adapter = Object.hasOwn(adapters, row.processor as string)
    ? adapters[row.processor as string]
    : undefined;
  if (adapter) return [accountOf(adapter, row)];
  logger.error(
    { processor_account: row.id, processor: row.processor },
    'processor of an account not registered: register it again; its payments stay open until then',
  );
  return [];
}

const listOf = (text: string | null | undefined): readonly string[] | null =>
  text ? (JSON.parse(text) as readonly string[]) : null;

/** Makes an account of its row. */
export function accountOf(adapter: ProcessorAdapter, row: Row): ProcessorAccount {
  const id = row.id as string;
  const mode = row.mode as ProcessorAccount['mode'];
  const settings = JSON.parse(row.settings as string) as Readonly<Record<string, string>>;
  return {
    id,
    merchant_id: row.merchant_id ?? null,
    mode,
    name: row.name as string,
    status: row.status as ProcessorAccount['status'],
    processor: adapter.connect({ id, mode, settings }),
    currencies: listOf(row.currencies),
    networks: listOf(row.networks),
    descriptor: row.descriptor ?? null,
  };
}
