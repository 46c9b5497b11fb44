import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { slug } from 'github-slugger';
import { describe, expect, it } from 'vitest';
import { seconds } from '../../../platform/time/clock.ts';
import { type DoctorFacts, examine } from './decide.ts';
import { renderExamination } from './findings.ts';

const NOW = seconds(1_800_000_000);
const DAY = seconds(86_400);
const RUNBOOKS = join(import.meta.dirname, '../../../../../../docs/pages/operate/runbooks.md');

const loop = {
  process: 'a (process 12)',
  version: '1.0.0',
  loop: 'authorise',
  state: 'beating',
  error: null,
} as const;

/** An installation with which nothing is wrong. */
const healthy: DoctorFacts = {
  environment: 'production',
  now: NOW,
  version: '1.0.0',
  loops: [loop],
  workers: 1,
  without_key: [],
  database: {
    version: '16.4',
    connections: 12,
    connections_max: 100,
    oldest_transaction_seconds: 0,
    migrations: 139,
  },
  is_read_only: false,
  is_disk_full: false,
  pending: [],
  refusal: undefined,
  restored_to: undefined,
  vault_notes: [],
  clock_notes: [],
  queues: [{ name: 'payment_demands', due: 3, late_s: 2 }],
  failing_webhooks: [],
  refused_keys: [],
  unknown_over_24h: 0,
  operator_attempts: 0,
  settlement_exceptions: 0,
  reports_open: 0,
  notifications_open: 0,
  disputes_quarantined: 0,
  audit_fault: null,
  checks: ['ledger', 'audit', 'backup'].map((name) => ({ name, at: NOW - DAY, is_ok: true })),
  certificates: [{ name: 'public_url', expires_at: NOW + 60 * DAY }],
};

const wrongs: Partial<DoctorFacts>[] = [
  { loops: [] },
  { loops: [loop, { ...loop, process: 'b (process 13)', state: 'gone' }] },
  { loops: [{ ...loop, state: 'failing', error: 'timeout' }] },
  { loops: [loop, { ...loop, version: '0.9.0' }] },
  { workers: 0 },
  { without_key: ['b (process 13)'] },
  { database: { ...healthy.database, connections: 95 } },
  { database: { ...healthy.database, oldest_transaction_seconds: 100 } },
  { is_read_only: true },
  { is_disk_full: true },
  { pending: ['0140-next'] },
  { refusal: 'The database is newer than this program.' },
  { restored_to: '2026-11-28T10:00:00Z' },
  { vault_notes: ['The vault of this server accepts no messages.'] },
  { clock_notes: ['The clock of the database is 2 s behind.'] },
  { queues: [{ name: 'webhook_deliveries', due: 340, late_s: 720 }] },
  { failing_webhooks: [{ id: 's', merchant: 'm', mode: 'live', since: '2026-11-28' }] },
  { refused_keys: [{ name: 'Adyen', mode: 'live', since: '2026-11-28' }] },
  { unknown_over_24h: 1 },
  { operator_attempts: 1 },
  { settlement_exceptions: 1 },
  { reports_open: 1 },
  { notifications_open: 1 },
  { disputes_quarantined: 1 },
  { audit_fault: 'entry 7 was changed' },
  { checks: [{ name: 'ledger', at: NOW, is_ok: false }, ...healthy.checks.slice(1)] },
  { checks: healthy.checks.slice(0, 2) },
  {
    checks: healthy.checks
      .map((check) => ({ ...check, at: NOW - 3 * DAY }))
      .slice(0, 1)
      .concat(healthy.checks.slice(1)),
  },
  { certificates: [{ name: 'public_url', expires_at: NOW + 5 * DAY }] },
  { certificates: [{ name: 'pay_url', expires_at: NOW - DAY }] },
  { certificates: [{ name: 'database', expires_at: undefined }] },
];

const findingsOf = (facts: Partial<DoctorFacts>) => examine({ ...healthy, ...facts }).findings;

describe('the doctor', () => {
  it.each([{ is_read_only: true }, { is_disk_full: true }])(
    'concludes nothing about processes from old heartbeats while the database stores none: %o',
    (fault) => {
      const gone = { loops: [{ ...loop, state: 'gone' as const }], workers: 0 };
      expect(findingsOf({ ...gone, ...fault })).toEqual(findingsOf(fault));
      expect(findingsOf(gone)).toHaveLength(2);
    },
  );

  it('says that a certificate has expired, and names the runbook of the vault for its certificates', () => {
    const certificate = { name: 'the vault at https://vault.example:4700', expires_at: NOW - DAY };
    const runbook = 'a-certificate-of-the-vault-ends-soon';
    expect(findingsOf({ certificates: [{ ...certificate, runbook }] })).toEqual([
      {
        area: 'certificates',
        problem: 'The certificate of the vault at https://vault.example:4700 has expired.',
        next_step: `See /docs/operate/runbooks#${runbook}.`,
      },
    ]);
  });

  it('finds one cause of workers that fail with one error, and names a few of them', () => {
    const names = ['authorise', 'bill', 'capture', 'deliver', 'refund'];
    const error = 'connect ENOENT /var/lib/florin/.s.PGSQL.5432';
    const failing = names.map((name) => ({
      ...loop,
      loop: name,
      state: 'failing' as const,
      error,
    }));
    const other = { ...loop, loop: 'watch', state: 'failing' as const, error: 'timeout' };
    expect(findingsOf({ loops: [...failing, other] }).map(({ problem }) => problem)).toEqual([
      `5 workers of a (process 12) are failing (authorise, bill, capture and 2 more): ${error}.`,
      'The worker watch of a (process 12) is failing: timeout.',
    ]);
    const elsewhere = failing.map((fact) => ({ ...fact, process: 'b (process 13)' }));
    expect(findingsOf({ loops: [...failing, ...elsewhere] })[0]?.problem).toContain(
      '10 workers of 2 processes are failing (authorise, bill, capture and 2 more)',
    );
  });

  it('misses no worker while a restored installation is closed', () => {
    const [only, ...others] = findingsOf({ restored_to: '2026-11-28T10:00:00Z', workers: 0 });
    expect([only?.problem.includes('is closed'), others]).toEqual([true, []]);
  });

  it('finds nothing wrong with a healthy installation', () => {
    expect(findingsOf({})).toEqual([]);
  });

  it.each(wrongs.map((facts) => [JSON.stringify(facts).slice(0, 80), facts] as const))(
    'finds one thing wrong with %s, and the next step',
    (_text, facts) => {
      expect(findingsOf(facts)).toEqual([
        {
          area: expect.any(String),
          problem: expect.stringMatching(/^\S.*\.$/),
          next_step: expect.stringMatching(/\/docs\/operate\//),
        },
      ]);
    },
  );

  it('names runbooks that exist', () => {
    const page = readFileSync(RUNBOOKS, 'utf8');
    const slugs = [...page.matchAll(/^## (.+)$/gm)].map(([, title = '']) => slug(title));
    const named = wrongs
      .flatMap(findingsOf)
      .flatMap(({ next_step }) => [...next_step.matchAll(/runbooks#([a-z0-9-]+)/g)])
      .map(([, name]) => name);
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((name) => !slugs.includes(name ?? ''))).toEqual([]);
  });

  it('expects no checks and backups in development', () => {
    expect(findingsOf({ environment: 'development', checks: [] })).toEqual([]);
  });

  it('prints an area a line, and each finding with its next step', () => {
    const page = renderExamination(examine({ ...healthy, settlement_exceptions: 2 }));
    expect(page).toContain('ok     queues         payment_demands 3; oldest 2 s');
    expect(page).toContain(
      [
        'WRONG  settlement',
        '         2 settlement exceptions are open.',
        '         > See /docs/operate/runbooks#a-settlement-exception.',
        '',
        '1 thing is wrong.',
      ]
        .join('\n')
        .slice(0, 60),
    );
    expect(page.endsWith('1 thing is wrong.')).toBe(true);
  });
});
