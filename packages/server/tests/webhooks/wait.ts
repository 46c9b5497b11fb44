import type { ServerResponse } from 'node:http';
import { expect, vi } from 'vitest';
import type { Row } from '../../src/platform/database/row.ts';
import type { Testbed } from './testbed.ts';

export const WAIT = { timeout: 120_000, interval: 20 };

/** Waits until every delivery fulfils `expected`. */
export const waitForDeliveries = (testbed: Testbed, expected: object) =>
  vi.waitFor(async () => {
    const rows = await testbed.readDeliveries();
    expect(rows).not.toEqual([]);
    for (const row of rows) expect(row).toMatchObject(expected);
    return rows as [Row, ...Row[]];
  }, WAIT);

export const statusesOf = async (testbed: Testbed) =>
  (await testbed.readDeliveries()).map(({ status }) => status);

/** Ends all waiting responses with a success. */
export const endResponses = (responses: readonly ServerResponse[]): void => {
  for (const response of responses) response.writeHead(200).end();
};
