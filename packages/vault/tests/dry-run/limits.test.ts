import { describe, test } from 'vitest';
import type { TestVault } from '../support/vault.ts';
import { expectTrial, type Trial, useFreshVault } from './try-command.ts';

const SCOPE = { merchant_id: 'merchant-a', mode: 'live' };
const UNTIL = '2026-12-01T06:00:00Z';

let vault: TestVault;
useFreshVault((fresh) => {
  vault = fresh;
});

const openImport = ({ admin }: TestVault) =>
  admin('/import/open', { ...SCOPE, numbers: 9, until: UNTIL });
const LATE = 'until must be a time such as 2026-12-01T06:00:00Z, at most 31 days ahead.';

const trials: Trial[] = [
  {
    name: 'limit of a merchant',
    path: '/limit',
    body: { ...SCOPE, new_numbers: 50_000 },
    dry: [
      'Would set the new cards a day of merchant-a (live) to 50000. Until now: 10000, the default.',
    ],
    earnest: ['New cards a day: 50000.'],
  },
  {
    name: 'limit that becomes the default again',
    path: '/limit',
    body: { ...SCOPE, new_numbers: 'default' },
    prepare: ({ admin }) => admin('/limit', { ...SCOPE, new_numbers: 7 }),
    dry: [
      'Would set the new cards a day of merchant-a (live) to 10000, the default. Until now: 7.',
    ],
    earnest: ['New cards a day: 10000, the default.'],
  },
  {
    name: 'limit that is too high',
    path: '/limit',
    body: { ...SCOPE, new_numbers: 100_000_001 },
    is_refused: true,
    dry: ['new_numbers must be a whole number from 1 to 100000000.'],
    earnest: ['new_numbers must be a whole number from 1 to 100000000.'],
  },
  {
    name: 'import open',
    path: '/import/open',
    body: { ...SCOPE, numbers: 200, until: UNTIL },
    dry: [
      'Would let merchant-a (live) enter 200 new cards until 2026-12-01T06:00:00.000Z. The limits would then return.',
    ],
    earnest: [
      'The merchant may enter 200 new cards until 2026-12-01T06:00:00.000Z. The limits then return.',
    ],
  },
  {
    name: 'import open while one is open',
    path: '/import/open',
    body: { ...SCOPE, numbers: 200, until: UNTIL },
    prepare: openImport,
    dry: [
      'Would let merchant-a (live) enter 200 new cards until 2026-12-01T06:00:00.000Z. The limits would then return.',
      'Would replace the open import, which took 0 of 9 new cards, and ends at 2026-12-01T06:00:00.000Z.',
    ],
    earnest: [
      'The merchant may enter 200 new cards until 2026-12-01T06:00:00.000Z. The limits then return.',
    ],
  },
  {
    name: 'import open until a time that is over',
    path: '/import/open',
    body: { ...SCOPE, numbers: 200, until: '2026-11-20T06:00:00Z' },
    is_refused: true,
    dry: [LATE],
    earnest: [LATE],
  },
  {
    name: 'import close',
    path: '/import/close',
    body: SCOPE,
    prepare: openImport,
    dry: [
      'Would close the import of merchant-a (live), which took 0 of 9 new cards, and ends at 2026-12-01T06:00:00.000Z.',
    ],
    earnest: ['The import is closed after 0 new cards.'],
  },
  {
    name: 'import close without an open one',
    path: '/import/close',
    body: SCOPE,
    is_refused: true,
    dry: ['No import of this merchant and mode is open.'],
    earnest: ['No import of this merchant and mode is open.'],
  },
];

describe('--dry-run says what the command does, or why it refuses, and changes nothing:', () => {
  test.each(trials)('$name', async (trial) => {
    await expectTrial(vault, trial);
  });
});
