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

/** Notes of `/readyz` and the gauge, once there is this number of notes. */
const untilNotes = (count: number) =>
  eventually(
    async () => {
      const answer = await fetch(`${api.stack.baseUrl}/readyz`);
      const { notes = [] } = (await answer.json()) as { notes?: string[] };
      const metrics = await (await fetch(`${api.stack.baseUrl}/metrics`)).text();
      const gauges = metrics.matchAll(/^florin_clock_ahead_seconds\{clock="(\w+)"\} (\S+)$/gm);
      const ahead = Object.fromEntries(
        [...gauges].map(([, name, by]) => [name, Math.round(Number(by))]),
      );
      return { status: answer.status, notes, ahead };
    },
    ({ notes }) => notes.length === count,
  );

const inquiriesOf = (id: string): Promise<number> =>
  withClient(api.stack.databaseUrl, async (database) => {
    const sql = 'select inquiries from attempts where payment_demand_id = $1';
    return (await database.query(sql, [id])).rows[0]?.inquiries;
  });

it.each(['vault', 'database'] as const)(
  'while the clock of the %s differs, no message counts as never sent, and readyz and the metrics report it',
  async (other) => {
    expect(await untilNotes(0)).toEqual({
      status: 200,
      notes: [],
      ahead: { vault: 0, database: 0 },
    });
    behind[other] = 40;
    expect(await untilNotes(1)).toEqual({
      status: 200,
      notes: [expect.stringMatching(`^The clock of the ${other} is .* s behind this server's`)],
      ahead: { vault: 0, database: 0, [other]: -40 },
    });
    const attributes = { confirmed: true, amount_cents: NEVER_ARRIVES_CENTS };
    const { id } = await makeDemand(api.client, attributes, await makeParties(api.client));
    await eventually(
      () => inquiriesOf(id),
      (count) => count === 1,
    );
    clock.advance(120);
    await eventually(
      () => inquiriesOf(id),
      (count) => count === 2,
    );
    const open = await api.client.fetch('payment_demands', id);
    expect([open.attributes.status, open.meta?.outcome]).toEqual(['processing', 'unknown']);

    behind[other] = 0;
    await untilNotes(0);
    clock.advance(120);
    expect((await settled(api.client, id)).attributes).toMatchObject({
      status: 'failed',
      failure_reason: 'processor_unreachable',
    });
  },
);
