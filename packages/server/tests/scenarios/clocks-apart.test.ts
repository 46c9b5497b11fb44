import { withClient } from '@florin/cli/database/client.ts';
import { seconds } from '@florin/server/platform/time/clock.ts';
import { expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import { clockAhead } from '../support/clock-ahead.ts';
import { eventually, makeDemand, makeParties, settled } from '../support/make.ts';

/** The last four digits make the network disconnect before it reads a message. */
const NEVER_ARRIVES_CENTS = 19_702;

const clock = clockAhead();
/** Lag of other clocks behind the server's, in seconds. */
const behind = { vault: 0, database: 0 };
const api = useOwnStack({
  config: { clock },
  vaultClock: () => (clock.now() - seconds(behind.vault)) / 1_000,
  databaseTime: async () => clock.now() - seconds(behind.database),
});

/** Notes of `/readyz` and the gauges, once there is this number of notes. */
async function untilNotes(count: number) {
  const { notes } = await eventually(
    async () => {
      const answer = await fetch(`${api.stack.baseUrl}/readyz`);
      const { notes = [] } = (await answer.json()) as { notes?: string[] };
      expect(answer.status).toBe(200);
      return { notes };
    },
    ({ notes: { length } }) => length === count,
    { max_wait_ms: 30_000, pause_ms: 100 },
  );
  const metrics = await (await fetch(`${api.stack.baseUrl}/metrics`)).text();
  const gauges = metrics.matchAll(/^florin_clock_ahead_seconds\{clock="(\w+)"\} (\S+)$/gm);
  const ahead = Object.fromEntries(
    [...gauges].map(([, name, by]) => [name, Math.round(Number(by))]),
  );
  return { notes: notes.toSorted(), ahead };
}

const inquiriesOf = (id: string): Promise<number> =>
  withClient(api.stack.databaseUrl, async (database) => {
    const sql = 'select inquiries from attempts where payment_demand_id = $1';
    return (await database.query(sql, [id])).rows[0]?.inquiries;
  });

const untilAsked = (id: string, times: number) =>
  eventually(
    () => inquiriesOf(id),
    (count) => count === times,
  );

it("while other clocks differ from the server's, no message counts as never sent, and readyz and the metrics report it", async () => {
  expect(await untilNotes(0)).toEqual({ notes: [], ahead: { vault: 0, database: 0 } });
  Object.assign(behind, { vault: 40, database: 50 });
  expect(await untilNotes(2)).toEqual({
    notes: ['database', 'vault'].map((other) =>
      expect.stringMatching(`^The clock of the ${other} is .* s behind this server's`),
    ),
    ahead: { vault: -40, database: -50 },
  });
  const attributes = { confirmed: true, amount_cents: NEVER_ARRIVES_CENTS };
  const { id } = await makeDemand(api.client, attributes, await makeParties(api.client));
  await untilAsked(id, 1);
  // The vault agrees sooner than the database, whose clock alone delays the outcome as well.
  behind.vault = 0;
  await untilNotes(1);
  clock.advance(120);
  await untilAsked(id, 2);
  const open = await api.client.fetch('payment_demands', id);
  expect([open.attributes.status, open.meta?.outcome]).toEqual(['processing', 'unknown']);

  behind.database = 0;
  await untilNotes(0);
  clock.advance(120);
  expect((await settled(api.client, id)).attributes).toMatchObject({
    status: 'failed',
    failure_reason: 'processor_unreachable',
  });
});
