import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withClient } from '@florin/cli/database/client.ts';
import { testPostgresUrl } from '@florin/dev-env/config/env.ts';
import { mountSmallDisk, type SmallDisk } from '@florin/dev-env/small-disk.ts';
import { afterAll, describe, expect, it } from 'vitest';
import { readLast } from '../../src/features/audit-log/sql.ts';
import { rotateSecrets } from '../../src/features/secrets/rotate.ts';
import { sealPlainTexts } from '../../src/features/secrets/seal-plain.ts';
import { createSealer } from '../../src/platform/crypto/sealer.ts';
import { createSigner } from '../../src/platform/crypto/signer.ts';
import {
  instanceSecretNames,
  openInstanceSecrets,
} from '../../src/platform/database/installation/instance-secrets.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { microsOf, seconds } from '../../src/platform/time/clock.ts';
import { useOwnStack } from '../support/api.ts';
import { sealerOf } from '../support/instance-secrets.ts';
import { eventually, makeCustomer, makeIdentification } from '../support/make.ts';

const api = useOwnStack();
const SECRETS = join(import.meta.dirname, '../../src/bin/secrets.ts');
const DAY = seconds(24 * 60 * 60);
const logger = createLogger('silent');

interface CommandResult {
  readonly code: number;
  readonly text: string;
}

/** Runs a command of operators on the stack's database. */
function run(...words: string[]): Promise<CommandResult> {
  const { dataDir, databaseUrl } = api.stack;
  const env = { ...process.env, FLORIN_DATA: dataDir, DATABASE_URL: databaseUrl };
  const { promise, resolve } = Promise.withResolvers<CommandResult>();
  execFile(process.execPath, [SECRETS, ...words], { env }, (error, stdout, stderr) =>
    resolve({ code: Number(error?.code ?? 0), text: stdout + stderr }),
  );
  return promise;
}

const listVersions = () =>
  api.fixtures.db.query(
    `select name, version, sealed is not null as is_sealed, expires_at is null as is_newest
     from instance_secrets order by name, version`,
    [],
  );
const countVersions = async () => (await listVersions()).length;
const lastEntry = async () =>
  JSON.parse((await readLast(api.fixtures.db))?.entry ?? '{}') as Record<string, string>;

/** The secrets as a process has them whose clock shows this time. */
async function secretsAt(time: { now: number }) {
  const clock = { now: () => time.now };
  const sealer = await sealerOf(api.stack.dataDir);
  return openInstanceSecrets({ db: api.fixtures.db, sealer, clock, logger });
}

const dropPlainOf = (name: string, secret: Buffer) =>
  api.fixtures.db.query(
    `update instance_secrets set sealed = null, value = $2 where name = $1 and version = 1`,
    [name, secret],
  );

/** Far more than fit into a block of the table. */
const ROTATIONS_MAX = 30;
/** PostgreSQL runs as another user, who cannot enter the temporary directory of the run. */
const disk = mountSmallDisk('/tmp');
afterAll(() => disk?.[Symbol.dispose]());

/** Runs statements as the administrator in the database of the stack. */
async function administer(...statements: string[]): Promise<void> {
  const url = new URL(testPostgresUrl());
  url.pathname = new URL(api.stack.databaseUrl).pathname;
  await withClient(url.href, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
}

/** Moves the secrets to a small disk. */
async function moveSecretsTo({ directory }: SmallDisk): Promise<void> {
  const [row] = await api.fixtures.db.query('show data_directory', []);
  const place = join(directory, 'tables');
  mkdirSync(place);
  chmodSync(directory, 0o755);
  const { uid, gid } = statSync(row?.data_directory as string);
  chownSync(place, uid, gid);
  await administer(
    `create tablespace small location '${place}'`,
    'alter table instance_secrets set tablespace small',
  );
}

const moveSecretsBack = () =>
  administer('alter table instance_secrets set tablespace pg_default', 'drop tablespace small');

it('a secret that an earlier version stored in plain is sealed by the next start, and stays the same', async () => {
  const secret = randomBytes(32);
  await dropPlainOf('shop_orders', secret);
  await using secrets = await secretsAt({ now: 0 });
  expect((await listVersions()).every(({ is_sealed }) => is_sealed === 't')).toBe(true);
  const { sign } = createSigner(secrets.ringOf('shop_orders'));
  expect(sign('text')).toBe(createSigner(secret).sign('text'));
});

describe('a rotation of the secrets', () => {
  it('is only shown with --dry-run', async () => {
    const before = await listVersions();
    const { code, text } = await run('rotate', '--dry-run');
    expect([code, text]).toEqual([0, expect.stringContaining('Would rotate cursors: version 2.')]);
    expect(await listVersions()).toEqual(before);
  });

  it('breaks no cursor and no link, and is in the audit log', async () => {
    for (let made = 0; made < 3; made++) await makeCustomer(api.client);
    const { links } = (await api.client.get('/v2/customers?page[size]=1')).body;
    const { code, text } = await run('rotate');
    expect([code, text]).toEqual([0, expect.stringMatching(/^Rotated access_tries: version 2\./)]);
    expect(text).toContain('(45 days)');
    expect(await lastEntry()).toMatchObject({ command: 'secrets rotate' });
    await api.stack.restart('server');
    expect(
      (await api.client.get(String(links?.next).replace(/^https?:\/\/[^/]+/, ''))).status,
    ).toBe(200);
  });

  it('gives every secret a sealed version, except those of messages to processors and of requests', async () => {
    const versions = await listVersions();
    expect(versions.every(({ is_sealed }) => is_sealed === 't')).toBe(true);
    expect(versions.filter(({ version }) => version === '2').map(({ name }) => name)).toEqual(
      instanceSecretNames.filter(
        (name) => name !== 'processor_messages' && name !== 'request_hashes',
      ),
    );
  });

  it('is found, not repeated, by a command that runs again', async () => {
    const count = await countVersions();
    const { code, text } = await run('rotate');
    expect([code, text]).toEqual([0, expect.stringMatching(/rotated already.*until 20/)]);
    expect(await countVersions()).toBe(count);
  });

  it('signs with the new keys once every process has them, and accepts the previous ones for 45 days', async () => {
    const [row] = await api.fixtures.db.query(
      `select active_at from instance_secrets where name = 'cursors' and version = 2`,
      [],
    );
    const active = microsOf(row?.active_at as string);
    const time = { now: active - 1 };
    await using secrets = await secretsAt(time);
    const signer = createSigner(secrets.ringOf('cursors'));
    const before = signer.sign('page');
    expect(signer.signatures('page')).toHaveLength(2);
    time.now = active;
    const after = signer.sign('page');
    expect(after).not.toBe(before);
    time.now = active - 1;
    expect(signer.isSignatureOf('page', after)).toBe(true);
    time.now = active + 45 * DAY - 1;
    expect(signer.isSignatureOf('page', before)).toBe(true);
    time.now = active + 45 * DAY;
    expect(signer.isSignatureOf('page', before)).toBe(false);
    expect(signer.isSignatureOf('page', after)).toBe(true);
  });

  it('leaves nothing behind if it ends before its audit entry', async () => {
    const before = await listVersions();
    const sealer = await sealerOf(api.stack.dataDir);
    const deps = { db: api.fixtures.db, sealer, now: seconds(4_000_000_000) };
    const crash = () => Promise.reject(new Error('killed'));
    await expect(rotateSecrets(deps, { again: true, dry_run: false }, crash)).rejects.toThrow(
      'killed',
    );
    expect(await listVersions()).toEqual(before);
  });

  it.runIf(disk)(
    'changes nothing while the disk of its table is full, and can be repeated',
    async () => {
      await moveSecretsTo(disk!);
      disk!.fill();
      // Rotations succeed until the last block of the table is full, in the middle of one.
      let before = await listVersions();
      let full = await run('rotate', '--again');
      for (let left = ROTATIONS_MAX; full.code === 0 && left > 0; left -= 1) {
        before = await listVersions();
        full = await run('rotate', '--again');
      }
      expect([full.code, full.text]).toEqual([
        1,
        expect.stringMatching(/^Stopped: .*No space left on device.* Running the command again/s),
      ]);
      expect(await listVersions()).toEqual(before);
      disk!.free();
      expect((await run('rotate', '--again')).code).toBe(0);
      expect(await countVersions()).toBeGreaterThan(before.length);
      await moveSecretsBack();
    },
  );

  it('happens once if two commands run at once', async () => {
    const sealer = await sealerOf(api.stack.dataDir);
    await api.fixtures.db.query(
      `update instance_secrets set expires_at = '2001-01-01Z' where expires_at is not null`,
      [],
    );
    const deps = { db: api.fixtures.db, sealer, now: seconds(1_000_000_000) * 2 };
    const options = { again: false, dry_run: false };
    const rotations = await Promise.all(
      [1, 2].map(() => rotateSecrets(deps, options, async () => {})),
    );
    expect(rotations.map(({ versions }) => versions.length).sort()).toEqual([0, 9]);
  });

  it('is reached by a running process within its next read', async () => {
    const time = { now: seconds(3_000_000_000) };
    await using secrets = await secretsAt(time);
    const signer = createSigner(secrets.ringOf('cursors'));
    const before = signer.sign('page');
    const sealer = await sealerOf(api.stack.dataDir);
    const deps = { db: api.fixtures.db, sealer, now: time.now };
    await rotateSecrets(deps, { again: true, dry_run: false }, async () => {});
    await secrets.refresh();
    expect(signer.sign('page')).toBe(before);
    time.now += seconds(60);
    expect(signer.sign('page')).not.toBe(before);
  });

  it('can end the previous secrets at once, after a theft', async () => {
    await api.fixtures.db.query(
      `update instance_secrets set active_at = now() where expires_at is null`,
      [],
    );
    expect((await run('end-overlap', '--dry-run')).text).toMatch(/^Would end \d+ previous/);
    expect(await countVersions()).toBeGreaterThan(instanceSecretNames.length);
    expect((await run('end-overlap')).text).toMatch(/^Ended \d+ previous/);
    expect(await lastEntry()).toMatchObject({ command: 'secrets end-overlap' });
    expect((await listVersions()).every(({ is_newest }) => is_newest === 't')).toBe(true);
    expect((await run('end-overlap')).text).toMatch(/^No previous secrets/);
  });
});

describe('a new sealing key', () => {
  const keyPath = () => join(api.stack.dataDir, 'secrets.key');

  it('seals every secret again, is only shown with --dry-run, and can be continued', async () => {
    const { id } = await makeIdentification(api.client, { dob: '1985-12-10' });
    const oldKeys = await readFile(keyPath(), 'utf8');
    const newKey = `${randomBytes(32).toString('base64')}\n`;
    await writeFile(keyPath(), newKey + oldKeys);
    expect((await run('reseal')).text).toContain('no process has started with the newest key');
    await api.stack.restart('server');
    const shown = await run('reseal', '--dry-run');
    expect([shown.code, shown.text]).toEqual([
      1,
      expect.stringMatching(
        /instance_secrets: 0 resealed, 11 remain[\s\S]*texts lack the newest key/,
      ),
    ]);
    const done = await run('reseal');
    expect(done.text).toMatch(/personal_identifications\.dob: [1-9]\d* resealed, 0 remain/);
    expect([done.code, done.text]).toEqual([
      0,
      expect.stringContaining('Older keys can be removed'),
    ]);
    expect(await lastEntry()).toMatchObject({ command: 'secrets reseal' });
    expect((await run('reseal')).text).toMatch(/instance_secrets: 0 resealed, 0 remain/);
    await writeFile(keyPath(), newKey);
    await api.stack.restart('server');
    const { attributes } = await api.client.fetch('personal_identifications', id);
    expect(attributes.dob).toBe('1985-12-10');
    await expect(run('reseal', '--dry-run')).resolves.toMatchObject({ code: 0 });
  });

  it('is needed by the next start if the secrets were sealed with it', async () => {
    const { db } = api.fixtures;
    const clock = { now: () => 0 };
    const sealer = createSealer([randomBytes(32)]);
    await expect(openInstanceSecrets({ db, sealer, clock, logger })).rejects.toThrow(
      /No key of this server opens the secret access_tries .*secrets reseal/,
    );
  });
});

describe('a live process that lacks a key', () => {
  const HOST = 'another-host';
  const beat = (seal_keys: readonly string[] | null, age_s = 0) =>
    api.fixtures.db.query(
      `insert into heartbeats (process_id, loop, host, pid, poll_ms, started_at, seen_at, seal_keys)
       values ('ffffffff-ffff-7fff-bfff-ffffffffffff', 'authorise', $1, 77, 1, now(), now() - $3 * interval '1 second', $2)
       on conflict (process_id, loop) do update set seen_at = excluded.seen_at, seal_keys = excluded.seal_keys`,
      [HOST, seal_keys, age_s],
    );
  const commands = ['rotate --again', 'end-overlap', 'reseal'];
  const ownKeys = async () => (await sealerOf(api.stack.dataDir)).key_fingerprints;
  const dropBeat = () => api.fixtures.db.query('delete from heartbeats where host = $1', [HOST]);

  it.each(commands)('is named by %s, which then changes nothing', async (command) => {
    const before = await listVersions();
    for (const [keys, cause] of [
      [['0123456789abcdef'], `lack the key ${(await ownKeys())[0]}`],
      [null, 'earlier version'],
    ] as const) {
      await beat(keys);
      const { code, text } = await run(...command.split(' '));
      expect([code, text]).toEqual([1, expect.stringContaining(`${HOST} (process 77)`)]);
      expect(text).toContain(cause);
      expect(text).toContain('Nothing was changed');
    }
    expect(await listVersions()).toEqual(before);
    await dropBeat();
  });

  it('does not count once it has the key, nor after a crash', async () => {
    await beat(['0123456789abcdef', ...(await ownKeys())]);
    expect((await run('reseal')).code).toBe(0);
    await beat(null, 31);
    expect((await run('reseal')).code).toBe(0);
    await dropBeat();
  });

  it('is compared with the keys that it stores in its own heartbeat', async () => {
    const readKeys = () =>
      api.fixtures.db.query(
        `select distinct array_to_string(seal_keys, ' ') as keys from heartbeats`,
        [],
      );
    const rows = await eventually(readKeys, ({ length }) => length === 1);
    expect(rows[0]?.keys).toBe((await ownKeys()).join(' '));
  });
});

describe('personal data that an earlier version stored in plain', () => {
  it('is sealed by a worker, and looks the same before and after', async () => {
    const { db } = api.fixtures;
    const { id, attributes } = await makeIdentification(api.client, {
      full_name: 'Ada Lovelace',
      dob: '1985-12-10',
    });
    await db.query(`update personal_identifications set full_name = $2, dob = $3 where id = $1`, [
      id,
      attributes.full_name,
      attributes.dob,
    ]);
    const fetchAttributes = async () =>
      (await api.client.fetch('personal_identifications', id)).attributes;
    expect(await fetchAttributes()).toEqual(attributes);
    const services = { db, sealer: await sealerOf(api.stack.dataDir), logger };
    expect(await sealPlainTexts(services)).toBe(true);
    expect(await sealPlainTexts(services)).toBe(true);
    expect(await sealPlainTexts(services)).toBe(false);
    const [row] = await db.query(
      'select full_name, dob, surname from personal_identifications where id = $1',
      [id],
    );
    expect([row?.full_name?.slice(0, 3), row?.dob?.slice(0, 3), row?.surname]).toEqual([
      's1.',
      's1.',
      null,
    ]);
    expect(await fetchAttributes()).toEqual(attributes);
  });
});
