import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, type Processes, startProcesses } from '@florin/dev-env/start-processes.ts';
import { describe, expect, it } from 'vitest';
import { ledger } from '../src/commands/ledger.ts';
import { DATABASE } from '../src/commands/services.ts';
import type { StartSettings } from '../src/config/env.ts';
import { withClient } from '../src/database/client.ts';
import { markExternal } from '../src/database/own-database.ts';
import { waitUntil } from '../src/kernel/poll.ts';
import { identityOf } from '../src/kernel/process-identity.ts';
import { startPostgres } from '../src/postgres/start-postgres.ts';
import { isHeld } from '../src/supervisor/lock.ts';
import { pay, waitForPayment } from './payment.ts';
import { runToEnd, temporaryDirectory } from './support.ts';

const MAIN = join(import.meta.dirname, '..', 'src', 'main.ts');
const RUN = join(import.meta.dirname, '..', '..', '..', 'scripts', 'run.mjs');
const EXIT_LIMIT_MS = 15_000;
/** Amount whose approval is lost on the way back. */
const ANSWER_LOST = 19_701;

const childPids = (dataDir: string): number[] =>
  JSON.parse(readFileSync(join(dataDir, 'children.json'), 'utf8')).map(
    ({ pid }: { pid: number }) => pid,
  );

const verify = (dataDir: string) => runToEnd([MAIN, 'ledger', 'verify'], { FLORIN_DATA: dataDir });

describe('florin start', () => {
  it('explains itself, and starts nothing with an unknown word', async () => {
    const help = await runToEnd([MAIN, 'start', '--help'], {});
    expect([help.code, help.output]).toEqual([0, expect.stringContaining('npm start')]);
    const refusal = await runToEnd([MAIN, 'start', '--port'], {});
    expect([refusal.code, refusal.output]).toEqual([1, expect.stringContaining('--port')]);
  });

  it('leaves nothing behind when killed, starts again with the same keys, and shares its database with a machine whose payment it finishes', async () => {
    const dataDir = temporaryDirectory();
    await using firstFlorin = await startProcesses({ dataDir });
    const children = childPids(dataDir);
    expect(children).toHaveLength(3);
    await firstFlorin.kill();
    const rootKey = join(dataDir, 'vault', 'root.key');
    chmodSync(rootKey, 0o644);
    const SIMULATOR_PORT = String(await freePort());
    await using secondFlorin = await startProcesses({
      dataDir,
      port: firstFlorin.port,
      env: { SIMULATOR_PORT },
    });
    expect(secondFlorin.credentials.sandbox).toEqual(firstFlorin.credentials.sandbox);
    expect(children.map(identityOf)).toEqual([undefined, undefined, undefined]);
    expect(secondFlorin.output()).toContain('Attached to the running PostgreSQL');
    expect(secondFlorin.output()).toContain(`Warning: Every user may use the key file ${rootKey}.`);
    chmodSync(rootKey, 0o600);

    const [secondStart] = await Promise.all([
      runToEnd([MAIN, 'start'], { FLORIN_DATA: dataDir, PORT: '0' }),
      verifyRunning(dataDir),
    ]);
    expect(secondStart).toEqual({
      code: 1,
      output: expect.stringMatching(/^Another Florin \(process \d+\)/),
    });
    await examineRunning(dataDir, secondFlorin.baseUrl);
    await finishForAnother(secondFlorin, `http://127.0.0.1:${SIMULATOR_PORT}`);
    await addWrongBalance(dataDir);
    await stopWhole(secondFlorin);
    readAccessLog(secondFlorin);
    await verifyStopped(dataDir);
  }, 600_000);

  it.each([
    ['stop', 2, /^Usage:\n {7}npm start\n {11}starts Florin; [\s\S]*florin -- ledger verify/],
    ['start', 1, /^PORT must be a whole number/],
  ])('%s with nonsense ends with %i and a sentence', async (command, code, output) => {
    expect(await runToEnd([MAIN, command], { PORT: 'x' })).toEqual({
      code,
      output: expect.stringMatching(output),
    });
  });

  it('is not the only command of npm: operators have theirs', async () => {
    const { code, output } = await runToEnd([RUN, 'florin', 'vault', 'rotate'], {});
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/^Usage:\n {7}npm run florin -- vault rotate/),
    ]);
  });
});

const examine = (dataDir: string, ...words: string[]) =>
  runToEnd([MAIN, 'doctor', ...words], { FLORIN_DATA: dataDir });

/** Nothing is wrong with a running Florin; the metrics have the time of the check before. */
async function examineRunning(dataDir: string, baseUrl: string): Promise<void> {
  const metrics = await (await fetch(`${baseUrl}/metrics`)).text();
  expect(metrics).toMatch(/^florin_check_age_seconds\{check="ledger"\} \d/m);
  expect(metrics).toContain('florin_check_failed{check="ledger"} 0');
  expect((await examine(dataDir, 'record', 'backup')).code).toBe(0);
  const { code, output } = await examine(dataDir, '--json');
  expect(JSON.parse(output)).toMatchObject({
    ok: true,
    findings: [],
    facts: { checks: expect.stringMatching(/^ledger \d+ s ago, audit never, backup \d+ s ago$/) },
  });
  expect(code).toBe(0);
}

/** The log has the requests for the payment, and nothing that its merchant or customer would keep secret. */
function readAccessLog({ dataDir, credentials }: Processes): void {
  const log = readFileSync(join(dataDir, 'logs', 'server.log'), 'utf8');
  const requests = log.split('\n').filter((line) => line.includes('"msg":"request"'));
  expect(requests.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ method: 'GET', route: '/v2/payment_demands/:id', status: 200 }),
  );
  for (const planted of [
    credentials.sandbox.secret_key,
    'ada@example.com',
    '1 Main',
    'pan_test_visa',
  ])
    expect(log).not.toContain(planted);
}

async function stopWhole(florin: Processes): Promise<void> {
  const lastPids = childPids(florin.dataDir);
  expect(await florin.stop()).toBe(0);
  expect(florin.output()).toMatch(/Stopped\.\n$/);
  expect(await waitUntil(() => lastPids.every((pid) => !identityOf(pid)), EXIT_LIMIT_MS)).toBe(
    true,
  );
}

async function verifyRunning(dataDir: string): Promise<void> {
  const { code, output } = await verify(dataDir);
  expect(code).toBe(0);
  const lines = output.trim().split('\n');
  expect(lines).toHaveLength(13);
  for (const line of lines) expect(line).toMatch(/^ok: \d+ [a-z ]+ /);
}

/**
 * Starts a second machine with the database and the card network of a running one, and kills it after it sent a
 * payment. The running one finishes the payment.
 */
async function finishForAnother(florin: Processes, network: string): Promise<void> {
  const postgres = await startPostgres({ dataDir: florin.dataDir });
  const dataDir = temporaryDirectory();
  mkdirSync(join(dataDir, 'vault'), { mode: 0o700 });
  for (const key of ['secrets.key', 'vault/root.key']) {
    cpSync(join(florin.dataDir, key), join(dataDir, key));
  }
  const env = {
    DATABASE_URL: postgres.url(DATABASE, 'florin_server'),
    VAULT_DATABASE_URL: postgres.url(DATABASE, 'florin_vault'),
    FLORIN_SIMULATOR_URL: network,
  };
  await using otherFlorin = await startProcesses({ dataDir, env });
  expect(childPids(dataDir)).toHaveLength(2);
  const key = florin.credentials.sandbox.secret_key;
  const payment = await pay(otherFlorin.baseUrl, key, ANSWER_LOST);
  const unknownText = await waitForPayment(
    otherFlorin.baseUrl,
    key,
    payment,
    /"outcome":"unknown"/,
  );
  expect(unknownText).toContain('"outcome":"unknown"');
  await otherFlorin.kill();
  const finalText = await waitForPayment(
    florin.baseUrl,
    key,
    payment,
    /"status":"(?:succeeded|failed)"/,
  );
  expect(finalText).toContain('"status":"succeeded"');
}

/** Verifies the ledger of a stopped Florin with a wrong balance. Operator commands work then, too. */
async function verifyStopped(dataDir: string): Promise<void> {
  expect(isHeld(dataDir)).toBe(false);
  const secretsKey = join(dataDir, 'secrets.key');
  chmodSync(secretsKey, 0o640);
  const doctor = await examine(dataDir);
  chmodSync(secretsKey, 0o600);
  expect(doctor.output).toContain(`The group of the key file ${secretsKey} may use it.`);
  expect(doctor).toEqual({ code: 1, output: expect.stringContaining('No server runs.') });
  expect(doctor.output).toMatch(/^WRONG {2}vault/m);
  const { code, output } = await verify(dataDir);
  expect(code).toBe(1);
  expect(output).toMatch(/^DIFFERS: \d+ balances equal the sums of their transfers$/m);
  expect(output).toMatch(/ expected_owed_cents=0 found_owed_cents=7 /);
  expect(isHeld(dataDir)).toBe(false);

  const operator = (...words: string[]) =>
    runToEnd([MAIN, 'operator', ...words], { FLORIN_DATA: dataDir });
  // The commands attach to this PostgreSQL, instead of starting one each.
  const postgres = await startPostgres({ dataDir });
  expect(await operator('add', 'Support@demo.example')).toEqual({
    code: 0,
    output: 'Support@demo.example is an operator.\n',
  });
  expect((await operator('remove', 'nobody@demo.example')).code).toBe(1);
  await postgres.stop();
}

/** Credits money without a source. */
async function addWrongBalance(dataDir: string): Promise<void> {
  const postgres = await startPostgres({ dataDir });
  await withClient(postgres.url(DATABASE, 'florin_server'), (client) =>
    client.query(
      `insert into balances (merchant_id, mode, id, amount_currency, owed_cents, unsettled_cents, reserved_cents,
         disputed_cents, captured_cents, settled_cents, refunded_cents, lost_cents, fees_cents, paid_out_cents,
         created_at, updated_at)
       select id, 'live', id, 'USD', 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, now(), now() from merchants limit 1`,
    ),
  );
}

describe('florin ledger verify', () => {
  it('prints what it checks', async () => {
    const output: string[] = [];
    const settings = { dataDir: '' } as StartSettings;
    const options = { settings, packages: '', print: (text: string) => output.push(text) };
    expect(await ledger(['--help'], options)).toBe(0);
    expect(output.join()).toContain('balances equal the sums of their transfers');
  });

  it.each(['start', 'ledger verify', 'operator add a@b.example', 'processors list'])(
    'florin %s refuses a data directory of an external database without DATABASE_URL, and creates nothing',
    async (words) => {
      const dataDir = temporaryDirectory();
      markExternal(dataDir);
      expect(await runToEnd([MAIN, ...words.split(' ')], { FLORIN_DATA: dataDir })).toEqual({
        code: 1,
        output: expect.stringMatching(/^DATABASE_URL is not set, but /),
      });
      expect(readdirSync(dataDir)).toEqual(['external-database.json']);
    },
  );

  it('reports a missing data directory and creates nothing', async () => {
    const dataDir = temporaryDirectory();
    expect(await verify(dataDir)).toEqual({
      code: 1,
      output: expect.stringMatching(/ holds no Florin installation\. /),
    });
  });
});
