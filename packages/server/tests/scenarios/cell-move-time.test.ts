import { afterAll, expect, it } from 'vitest';
import { openCopySession } from '../../src/platform/database/wire/copy.ts';
import { useOwnStack } from '../support/api.ts';
import { chooseRouterPlaces } from '../support/cells-behind-router.ts';
import { makeCapturedPayment } from '../support/make.ts';
import { copyPayment } from '../support/many-payments.ts';
import { cellOf, ledgerDifferences, loadWhile, runMove, startTwoCells } from '../support/moves.ts';

/** Payments of the merchant. Set the variable to measure larger ones. */
const PAYMENTS = Number(process.env.FLORIN_MOVE_PAYMENTS ?? 2_000);

const places = await chooseRouterPlaces();
const api = useOwnStack({ config: { ...places.addresses, port: places.home } });
const cleanup = new AsyncDisposableStack();
afterAll(() => cleanup.disposeAsync());

it('a merchant with many payments moves; the time without writes is printed', async () => {
  const away = await startTwoCells(api, places, cleanup);
  const { id: merchant_id } = await api.fixtures.getDemoMerchant();
  const payment = await makeCapturedPayment(api.client);
  await using session = await openCopySession(api.stack.databaseUrl);
  const rows = await copyPayment(session, payment.id, PAYMENTS);
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const { longest_ms, refusals } = await loadWhile(api.client, () =>
    runMove(api, { merchant_id, cell: 'away' }, { print, settle_ms: 600_000 }),
  );
  const [without = ''] = lines.filter((line) => line.includes('without writes'));
  console.log(
    `${PAYMENTS} payments, ${rows} rows: ${without} Clients waited ${longest_ms} ms at most, with ${refusals} refusals.`,
  );
  expect(await cellOf(api, merchant_id)).toBe('away');
  for (const url of [api.stack.databaseUrl, away.address])
    expect(await ledgerDifferences(url)).toEqual([]);
}, 1_200_000);
