import { join } from 'node:path';
import { freePort, startProcesses } from '@florin/dev-env/start-processes.ts';
import { describe, expect, it } from 'vitest';
import { withClient } from '../src/database/client.ts';
import { startPostgres } from '../src/postgres/start-postgres.ts';
import { isHeld } from '../src/supervisor/lock.ts';
import { runToEnd, temporaryDirectory } from './support.ts';

const MAIN = join(import.meta.dirname, '..', 'src', 'main.ts');
const verify = (dataDir: string) => runToEnd([MAIN, 'ledger', 'verify'], { FLORIN_DATA: dataDir });

describe('florin ledger verify', () => {
  it('reports differences of a running and of a stopped Florin, where operators can be made as well', async () => {
    const dataDir = temporaryDirectory();
    const florin = await startProcesses({ dataDir, port: await freePort() });
    const running = await verify(dataDir);
    expect(await florin.stop()).toBe(0);
    const lines = running.output.trim().split('\n');
    expect(running.code).toBe(0);
    expect(lines).toHaveLength(5);
    for (const line of lines) expect(line).toMatch(/^ok: \d+ [a-z ]+ /);

    const stopped = await verify(dataDir);
    expect(stopped.code).toBe(0);
    expect(isHeld(dataDir)).toBe(false);

    const operator = (...words: string[]) =>
      runToEnd([MAIN, 'operator', ...words], { FLORIN_DATA: dataDir });
    expect(await operator('add', 'Support@demo.example')).toEqual({
      code: 0,
      output: 'Support@demo.example is an operator.\n',
    });
    expect((await operator('remove', 'nobody@demo.example')).code).toBe(1);

    await spoil(dataDir);
    const spoilt = await verify(dataDir);
    expect(spoilt.code).toBe(1);
    expect(spoilt.output).toContain('DIFFERS: 1 balances are the sums of their transfers');
    expect(spoilt.output).toMatch(/ expected_owed_cents=0 found_owed_cents=7 /);
  }, 120_000);

  it('prints what it checks', async () => {
    const { code, output } = await runToEnd([MAIN, 'ledger', '--help'], {});
    expect(code).toBe(0);
    expect(output).toContain('balances are the sums of their transfers');
  });

  it('reports a missing data directory and creates nothing', async () => {
    const dataDir = temporaryDirectory();
    expect(await verify(dataDir)).toEqual({
      code: 1,
      output: expect.stringMatching(/^No Florin was ever started in /),
    });
  });
});

/** Credits money without a source. */
async function spoil(dataDir: string): Promise<void> {
  const postgres = await startPostgres({ dataDir });
  await withClient(postgres.url('florin', 'florin_server'), async (client) => {
    await client.query('delete from balances');
    await client.query(
      `insert into balances (merchant_id, mode, id, amount_currency, owed_cents, unsettled_cents, reserved_cents,
         disputed_cents, fees_cents, paid_out_cents, created_at, updated_at)
       select id, 'live', id, 'USD', 7, 0, 0, 0, 0, 0, now(), now() from merchants limit 1`,
    );
  });
  await postgres.stop();
}
