import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, startProcesses } from '@florin/dev-env/start-processes.ts';
import { expect, it } from 'vitest';
import { DATABASE } from '../src/commands/services.ts';
import { withClient } from '../src/database/client.ts';
import { startPostgres } from '../src/postgres/start-postgres.ts';
import { pay, waitForPayment } from './payment.ts';
import { runToEnd, temporaryDirectory } from './support.ts';

const MAIN = join(import.meta.dirname, '..', 'src', 'main.ts');
/** Keys in the form of Checkout.com: 26 letters or digits, and a check character. */
const KEY = `sk_sbox_${'a'.repeat(26)}2`;
const NEXT_KEY = `sk_sbox_${'b'.repeat(26)}3`;
const CHANNEL = 'pc_europe';

/** Sets the key of the only channel of the simulator's stand-in of Checkout.com. */
async function setStandInKey(url: string, secret_key: string): Promise<void> {
  const { status } = await fetch(`${url}/control/accounts/${CHANNEL}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret_key }),
  });
  expect(status).toBe(204);
}

/** Processors of all attempts of a data directory. */
async function processorsOfAttempts(dataDir: string): Promise<readonly string[]> {
  const postgres = await startPostgres({ dataDir });
  const { rows } = await withClient(postgres.url(DATABASE, 'florin_server'), (client) =>
    client.query('select distinct processor from attempts'),
  );
  return rows.map(({ processor }: { processor: string }) => processor);
}

it('florin processors connects an account, routes payments to it, and removes it', async () => {
  const dataDir = temporaryDirectory();
  const SIMULATOR_PORT = String(await freePort());
  const standIn = `http://127.0.0.1:${SIMULATOR_PORT}/checkout-com`;
  const keyFile = join(dataDir, 'secret-key');
  const rulesFile = join(dataDir, 'rules.json');
  const outputs: string[] = [];
  const run = async (words: string, input = '') => {
    const args = [MAIN, 'processors', ...words.split(' ')];
    const { code, output } = await runToEnd(args, { FLORIN_DATA: dataDir }, input);
    outputs.push(output);
    return [code, output] as const;
  };
  const contains = (code: number, text: string) => [code, expect.stringContaining(text)];
  /** Commands that do not need each other. */
  const runTogether = async (cases: readonly (readonly [string, number, string])[]) => {
    const results = await Promise.all(cases.map(([words]) => run(words)));
    expect(results).toEqual(cases.map(([, code, text]) => contains(code, text)));
  };
  const fields = `--set api_url=${standIn} --set processing_channel_id=${CHANNEL}`;

  await using florin = await startProcesses({ dataDir, env: { SIMULATOR_PORT } });
  await setStandInKey(standIn, KEY);
  writeFileSync(keyFile, `${NEXT_KEY}\n`);
  const add = 'add checkout_com --mode sandbox --name';
  const addEu = `${add} EU ${fields} --secret secret_key=${keyFile}`;
  const noUrl = 'settings.api_url is required: Checkout.com needs it. Option: --set api_url=VALUE';
  await runTogether([
    ['try nope', 1, 'stand-in of: adyen, checkout_com'],
    ['try worldpay_cnp --name CNP', 0, 'Added and enabled CNP'],
    ['list --kinds', 0, '--secret secret_key=FILE'],
    [`${add} UK`, 1, noUrl],
    [`${add} UK --dry-run`, 1, noUrl],
    [`${addEu} --dry-run`, 0, 'Nothing was changed.'],
  ]);
  expect(await run(addEu)).toEqual(contains(0, 'Added EU'));
  await runTogether([
    ['try worldpay_cnp --name CNP', 1, 'Choose another name'],
    ['enable EU', 1, 'Checkout.com refused the credentials'],
    ['faults worldpay_cnp --lose-notifications 1', 1, 'sends no notifications'],
    ['faults worldpay_cnp --refuse-connections 1s', 0, 'connections are refused'],
    ['faults checkout_com --refuse-connections 1s', 1, 'No account uses an address'],
    ['faults checkout_com --decline nope', 1, 'A decline is one of generic_decline'],
    [
      'faults checkout_com --lose-answers 2000',
      1,
      '--lose-answers must be a number from 1 to 1000',
    ],
    ['settle CNP', 1, 'Florin reads no settlement reports'],
    ['try-dispute EU', 1, 'No stand-in has approved a payment with the id EU'],
    ['try-dispute EU --end won', 1, 'No dispute at a stand-in has the id EU'],
  ]);
  const dryChange = await run('change EU --secret secret_key=- --dry-run', KEY);
  expect(dryChange).toEqual(contains(0, 'Changed EU'));
  expect(await run('enable EU')).toEqual(contains(1, 'Checkout.com refused the credentials'));
  expect(await run('change EU --secret secret_key=-', KEY)).toEqual(contains(0, 'Changed EU'));
  expect(await run('enable EU --dry-run')).toEqual(contains(0, 'Enabled EU'));
  expect((await run('list --mode sandbox'))[1]).toMatch(/ EU .* untested /);
  expect(await run('enable EU')).toEqual(contains(0, 'route --mode sandbox --file rules.json'));
  const unchecked = await run(`change EU --secret secret_key=${keyFile} --dry-run`);
  expect(unchecked).toEqual(contains(0, 'Changed EU'));
  const [, table] = await run('list --mode sandbox');
  expect(table).toMatch(/^[\da-f-]{36} {2}EU +checkout_com +sandbox +enabled +\S+ accepted$/m);

  const rules = [{ name: 'Dollars', conditions: { currencies: ['USD'] }, accounts: ['EU'] }];
  writeFileSync(rulesFile, JSON.stringify(rules));
  const route = `route --mode sandbox --file ${rulesFile}`;
  expect(await run(`${route} --dry-run`)).toEqual(contains(0, 'Stored 1'));
  expect((await run('route --mode sandbox'))[1]).toBe('[]\n');
  expect(await run(route)).toEqual(contains(0, 'Stored 1'));
  const [, printedRules] = await run('route --mode sandbox');
  expect(JSON.parse(printedRules)).toEqual([
    { ...rules[0], fallback: 'not_sent', accounts: [/^[\da-f-]{36}(?= +EU )/m.exec(table)?.[0]] },
  ]);
  const preview = 'route --mode sandbox --preview amount=1000';
  await runTogether([
    [`${preview} currency=USD`, 0, 'the rule "Dollars" matches'],
    [`${preview} currency=EUR`, 0, 'The simulated network takes'],
    [`${preview} currency=eur`, 1, 'currency must be written EUR.'],
    ['try --renew CNP', 0, 'Gave CNP'],
    ['settle EU', 1, 'There are no movements since the last report.'],
  ]);

  const key = florin.credentials.sandbox.secret_key;
  const payment = await pay(florin.baseUrl, key, 2_499);
  await waitForPayment(florin.baseUrl, key, payment, /"status":"succeeded"/);
  expect(await processorsOfAttempts(dataDir)).toEqual(['checkout_com']);

  await setStandInKey(standIn, NEXT_KEY);
  expect(await run('check EU')).toEqual(contains(1, 'Checkout.com refused the credentials'));
  expect(await run(`change EU --secret secret_key=${keyFile}`)).toEqual(contains(0, 'in use'));
  expect(await run('pause EU')).toEqual(contains(0, 'These rules still name it'));
  await runTogether([
    [`${preview} currency=USD`, 1, 'is not enabled'],
    ['remove EU', 1, 'Keep it paused, or add --give-up-refunds: refunds'],
  ]);
  const dryRemoval = await run('remove EU --give-up-refunds --dry-run');
  expect(dryRemoval).toEqual(contains(0, 'Nothing was changed.'));
  expect(await run('remove EU --give-up-refunds')).toEqual(contains(0, 'Removed EU'));
  expect(await run('remove EU')).toEqual(contains(1, 'No account has the id or name EU'));

  expect(await florin.stop()).toBe(0);
  const postgres = await startPostgres({ dataDir });
  expect(await run('list --removed')).toEqual(contains(0, 'removed'));
  expect(await run(addEu)).toEqual(contains(1, 'in development with npm start'));
  await postgres.stop();
  for (const secret of [KEY, NEXT_KEY]) expect(outputs.join('\n')).not.toContain(secret);
}, 600_000);
