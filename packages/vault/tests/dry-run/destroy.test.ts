import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { withDryRuns } from '../../src/http/dry-run.ts';
import { openDatabase } from '../../src/store/db.ts';
import type { TestVault } from '../support/vault.ts';
import { announce, expectTrial, type Trial, useFreshVault } from './try-command.ts';

const MINUTE = 60_000;
const TOKEN = 'pan_00000000000000000000000000';
const SCOPE = { merchant_id: 'merchant-a', mode: 'sandbox' };

let vault: TestVault;
useFreshVault((fresh) => {
  vault = fresh;
});

/** Enters a card of merchant-a, whose token is known in advance. */
async function enterCard({ database, ingest }: TestVault): Promise<void> {
  const { card_pan_token } = await ingest();
  await database.query('update vault.cards set token = $2 where token = $1', [
    card_pan_token,
    TOKEN,
  ]);
}

const rotateRoot = ({ admin }: TestVault) => admin('/rotate', { key: 'root' });
const UNKNOWN_CARD = ['card_pan_token is not known.'];
const NOT_RETIRED = 'Stop it, then wait 30 s.';

const trials: Trial[] = [
  {
    name: 'destroy card',
    path: '/destroy',
    body: { ...SCOPE, card_pan_token: TOKEN },
    prepare: enterCard,
    dry: [
      `Would destroy the card ${TOKEN} of merchant-a (sandbox): visa, last digits 4242. This cannot be undone.`,
    ],
    earnest: ['The card is destroyed.'],
  },
  {
    name: 'destroy card of another merchant',
    path: '/destroy',
    body: { ...SCOPE, merchant_id: 'merchant-b', card_pan_token: TOKEN },
    prepare: enterCard,
    is_refused: true,
    dry: UNKNOWN_CARD,
    earnest: UNKNOWN_CARD,
  },
  {
    name: 'destroy card of the other mode',
    path: '/destroy',
    body: { ...SCOPE, mode: 'live', card_pan_token: TOKEN },
    prepare: enterCard,
    is_refused: true,
    dry: UNKNOWN_CARD,
    earnest: UNKNOWN_CARD,
  },
  {
    name: 'destroy merchant',
    path: '/destroy',
    body: SCOPE,
    prepare: async ({ ingest }) => {
      for (const merchant_id of ['merchant-a', 'merchant-a', 'merchant-b'])
        await ingest({ merchant_id });
    },
    dry: ['Would destroy the key and 2 cards of merchant-a (sandbox). This cannot be undone.'],
    earnest: [
      'The key and 2 cards are destroyed. Older backups hold the key under the root key: rotate root, then destroy the replaced version.',
    ],
  },
  {
    name: 'destroy merchant without cards',
    path: '/destroy',
    body: SCOPE,
    is_refused: true,
    dry: ['This merchant has no key in this mode.'],
    earnest: ['This merchant has no key in this mode.'],
  },
  {
    name: 'destroy without a mode',
    path: '/destroy',
    body: { merchant_id: 'merchant-a' },
    is_refused: true,
    dry: ['mode must be live or sandbox.'],
    earnest: ['mode must be live or sandbox.'],
  },
  {
    name: 'destroy root 1 after a rotation',
    path: '/destroy',
    body: { root_version: 1 },
    prepare: rotateRoot,
    dry: [
      'Would destroy version 1 of the root key: DIR/root.key. Backups of the vault that need it become unreadable. This cannot be undone.',
      'Without the command, the vault destroys it at 2026-12-21T12:00:00.000Z.',
    ],
    earnest: [
      'Version 1 of the root key is destroyed. Keys that only this version encrypts are lost.',
    ],
  },
  {
    name: 'destroy root 1 without a rotation',
    path: '/destroy',
    body: { root_version: 1 },
    is_refused: true,
    dry: ['Version 1 of the root key was not replaced: rotate root first.'],
    earnest: ['Version 1 of the root key was not replaced: rotate root first.'],
  },
  {
    name: 'destroy root 1 while a key needs it',
    path: '/destroy',
    body: { root_version: 1 },
    prepare: async (vault) => {
      await vault.ingest();
      await vault.database.query(`update vault.fingerprint_keys set wrapped = 'damaged'`);
      await rotateRoot(vault);
    },
    is_refused: true,
    dry: [
      'Version 1 of the root key still wraps keys: rotate root again, and see the log for those that do not open.',
    ],
    earnest: [
      'Version 1 of the root key still wraps keys: rotate root again, and see the log for those that do not open.',
    ],
  },
  {
    name: 'destroy root 1 twice',
    path: '/destroy',
    body: { root_version: 1 },
    prepare: async (vault) => {
      await rotateRoot(vault);
      await vault.admin('/destroy', { root_version: 1 });
    },
    dry: ['Version 1 of the root key is destroyed already.'],
    earnest: [
      'Version 1 of the root key is destroyed. Keys that only this version encrypts are lost.',
    ],
  },
  {
    name: 'retire',
    path: '/retire',
    body: { name: 'gone:/vault' },
    prepare: (vault) => announce(vault, 'gone:/vault', { silent_ms: MINUTE }),
    dry: [
      'Would remove gone:/vault, last seen 2026-11-21T11:59:00.000Z: rotations would no longer wait for it.',
    ],
    earnest: [
      'Rotations no longer wait for gone:/vault. If it starts again, it needs the newest root key.',
    ],
  },
  {
    name: 'retire of a vault that runs',
    path: '/retire',
    body: { name: 'here:/vault' },
    prepare: (vault) => announce(vault, 'here:/vault'),
    is_refused: true,
    dry: [`here:/vault was active within the last 30 s. ${NOT_RETIRED}`],
    earnest: [`here:/vault was active within the last 30 s. ${NOT_RETIRED}`],
  },
  {
    name: 'retire of an unknown vault',
    path: '/retire',
    body: { name: 'nobody' },
    is_refused: true,
    dry: ['No other vault has the name nobody. Known names: none.'],
    earnest: ['No other vault has the name nobody. Known names: none.'],
  },
];

describe('--dry-run says what the command does, or why it refuses, and changes nothing:', () => {
  test.each(trials)('$name', async (trial) => {
    await expectTrial(vault, trial);
  });
});

test.each([{ dry_run: true }, { dry_run: false }, { dry_run: null }])(
  'a command that gets %j as a member refuses, because it would ignore it',
  async (member) => {
    await enterCard(vault);
    const body = { ...SCOPE, card_pan_token: TOKEN, ...member };
    expect(await vault.admin('/destroy', body)).toEqual({
      sentences: ['dry_run is not known here. Nothing was changed: use /destroy/dry-run.'],
      ok: false,
    });
    expect(await vault.database.query('select token from vault.cards')).toEqual([{ token: TOKEN }]);
  },
);

test('PostgreSQL refuses the write of a preview that would change something', async () => {
  await using db = await openDatabase(vault.config.databaseUrl, () => {});
  const commands = withDryRuns(db, {
    '/x': {
      run: async () => {},
      preview: async (tx) => void (await tx.query('delete from vault.sealing_keys')),
    },
  });
  const tried = commands['/x/dry-run']?.(
    {},
    () => {},
    async () => {},
  );
  await expect(tried).rejects.toThrow('cannot execute DELETE in a read-only transaction');
});

test('the server’s socket has no dry runs', async () => {
  expect((await vault.post('/destroy/dry-run', { root_version: 1 })).status).toBe(404);
  expect(existsSync(join(vault.config.dataDir, 'root.key'))).toBe(true);
});
