import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { sealPlainSecrets } from '../../src/features/webhooks/seal-plain.ts';
import { createSealer } from '../../src/kernel/sealer.ts';
import { useApi } from '../support/api.ts';
import { makeHook } from '../support/hooks.ts';

const api = useApi();

const shown = async (id: string) =>
  (await api.client.fetch('webhook_subscriptions', id)).attributes.secret_key;

const act = async (id: string, action: string) =>
  (await api.client.send('PATCH', `/v2/webhook_subscriptions/${id}/${action}`)).body.data
    .attributes;

/** The tables whose rows, written out, hold the text. */
async function tablesWith(text: string): Promise<string[]> {
  const { db } = api.books;
  const tables = await db.query(
    `select table_name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'`,
    [],
  );
  const found: string[] = [];
  for (const { table_name } of tables) {
    const holds = `select 1 from ${table_name} t where strpos(t::text, $1) > 0 limit 1`;
    if ((await db.query(holds, [text])).length > 0) found.push(table_name as string);
  }
  return found;
}

/** What a start says to people with this key. */
const noticeWith = (key: string) =>
  sealPlainSecrets({
    db: api.books.db,
    sealer: createSealer([Buffer.from(key.trim(), 'base64')]),
    logger: pino({ level: 'silent' }),
  });

it('is in no table of the database, nor is the one before it', async () => {
  const made = await makeHook(api.client);
  const { secret_key } = await act(made.id, 'rotate_secret');
  await act(made.id, 'test');
  expect(await tablesWith(made.id)).toEqual(
    expect.arrayContaining(['webhook_subscriptions', 'events', 'webhook_deliveries']),
  );
  expect(await tablesWith(secret_key)).toEqual([]);
  expect(await tablesWith(made.attributes.secret_key)).toEqual([]);
});

it('from before it was sealed is sealed at the next start, and the same', async () => {
  const { db } = api.books;
  const { id } = await makeHook(api.client);
  const plain = 'PlainSecretFromBeforeItWasSealed0123456789A';
  await db.query('update webhook_subscriptions set secret_key = $1 where id = $2', [plain, id]);
  expect(await shown(id)).toBe(plain);
  await api.stack.restart('server');
  expect(await shown(id)).toBe(plain);
  expect(await tablesWith(plain)).toEqual([]);
});

it('is null where the key that it was sealed with is lost, and new after a rotation', async () => {
  const made = await makeHook(api.client);
  const path = join(api.stack.dataDir, 'secrets.key');
  const lost = await readFile(path, 'utf8');
  const fresh = `${randomBytes(32).toString('base64')}\n`;
  await writeFile(path, fresh);
  await api.stack.restart('server');
  expect(await shown(made.id)).toBeNull();
  expect(await noticeWith(fresh)).toMatch(/put the secrets\.key .* back.* rotate_secret/);
  expect(await noticeWith(lost)).toBeUndefined();
  await act(made.id, 'test');
  expect((await api.client.get('/sandbox/drain?timeout=10')).status).toBe(204);
  const { secret_key, previous_secret_expires_at } = await act(made.id, 'rotate_secret');
  expect([secret_key, previous_secret_expires_at]).toEqual([
    expect.stringMatching(/^[A-Za-z0-9]{43}$/),
    null,
  ]);
  await writeFile(path, lost + fresh);
  await api.stack.restart('server');
  expect(await shown(made.id)).toBe(secret_key);
});
