import { expect } from 'vitest';
import { findBalanceDifferences } from '../../src/features/ledger/sql/balance-check.ts';
import { findLedgerDifferences } from '../../src/features/ledger/sql/ledger-check.ts';
import { settlementFileDifferences } from '../../src/features/settlement/file-check.ts';
import type { useOwnStack } from './api.ts';
import type { Client, ResourceObject } from './client.ts';
import type { createClockAhead } from './clock-ahead.ts';
import { eventually } from './make.ts';

export const DAY_SECONDS = 24 * 60 * 60;

/** Each poll wakes loops, so the pause is not too short. */
export const POLLING = { max_wait_ms: 30_000, pause_ms: 100 };

/** Tools for tests of settlement on a stack of their own, whose clock they move. */
export function useSettledDays(
  api: ReturnType<typeof useOwnStack>,
  clock: ReturnType<typeof createClockAhead>,
) {
  /** The next day to be settled. */
  const readProgress = async (): Promise<string> => {
    const [row] = await api.fixtures.db.query(
      "select day from settlement_progress where processor = 'sandbox'",
      [],
    );
    return row?.day ?? '';
  };

  /** Attributes of all records of a type, oldest first. */
  const listAll = async (client: Client, type: string): Promise<Record<string, unknown>[]> =>
    (await client.get(`/v2/${type}?sort=created_at`)).body.data.map(
      ({ attributes }: ResourceObject) => attributes,
    );

  return {
    listAll,

    /** A merchant without payments. */
    createShop: async (): Promise<Client> =>
      api.as(await (await api.fixtures.makeMerchant()).makeKey()),

    async countSettledDays(): Promise<number> {
      const rows = await api.fixtures.db.query('select day from settlement_files', []);
      return rows.length;
    },

    /** Lets days pass until one more is settled, which includes all records so far. */
    async endDay(): Promise<void> {
      const dayBefore = await readProgress();
      clock.advance(DAY_SECONDS);
      await eventually(readProgress, (day) => day > dayBefore);
    },

    /** Waits for a balance. Wakes the loop that adds transfers to it, which otherwise polls once a second. */
    waitForBalance: (client: Client, expected: Record<string, number>) =>
      eventually(
        async () => {
          clock.wake();
          return (await listAll(client, 'balances'))[0] ?? {};
        },
        (balance) => Object.entries(expected).every(([name, value]) => balance[name] === value),
        POLLING,
      ),

    /** Fails unless ledger, balances and settlement files agree. */
    async expectAgreement(): Promise<void> {
      const { db } = api.fixtures;
      const [balances, records, files] = [
        await findBalanceDifferences(db),
        await findLedgerDifferences(db),
        await settlementFileDifferences(db),
      ];
      expect({ balances, records, files }).toEqual({ balances: [], records: [], files: [] });
    },
  };
}
