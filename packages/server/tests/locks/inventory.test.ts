import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const PACKAGES = join(import.meta.dirname, '../../..');
const LOCK_PATTERN =
  /\bfor (?:no key )?(?:update|share)\b|\bfor \$\{strengths\[|\bpg_(?:try_)?advisory_(?:xact_)?lock(?:_shared)?\(/g;
const COMMENT_PATTERN = /^\s*(?:\/?\*|\/\/|--)/;

/** Locks per file. All have a test beside this one, in `vault/tests/locks.test.ts`, `tests/scenarios` or `cli/tests`. */
const TESTED_LOCKS: Readonly<Record<string, number>> = {
  'cli/src/database/vault-login.ts': 1,
  'contract/src/migrations/online/backfill.ts': 1,
  'contract/src/migrations/turn.ts': 2,
  // Locks of sessions: cell-moves-at-once.test.ts.
  'server/src/features/cell-moves/sql/fence.ts': 3,
  'server/src/features/cell-moves/sql/locks.ts': 1,
  'server/src/features/people/sql/account-emails.ts': 1,
  'server/src/features/request-log/sql.ts': 1,
  'server/src/features/attempts/sql/reference-owner.ts': 1,
  'server/src/features/checkout/threeds/sql.ts': 4,
  'server/src/features/ledger/sql/balances.ts': 1,
  'server/src/platform/workers/claim.ts': 3,
  'server/src/features/disputes/sql/disputes.ts': 1,
  'server/src/platform/database/idempotency.ts': 1,
  'server/src/features/ledger/sql/ledger-anchor.ts': 1,
  'server/src/features/documents/sql.ts': 1,
  'server/src/features/emails/sql.ts': 3,
  'server/src/features/merchants/sql/enforcement-actions.ts': 5,
  'server/src/platform/database/migrations/0002-every-type.sql': 1,
  'server/src/platform/database/migrations/0106-audit-log.sql': 3,
  'server/src/features/onboarding/sql/onboarding.ts': 1,
  'server/src/features/member-notifications/sql/changes.ts': 1,
  'server/src/features/member-notifications/sql/notifications.ts': 3,
  'server/src/features/restore/sql/run-holder.ts': 1,
  'server/src/features/merchants/sql/merchants.ts': 1,
  'server/src/features/payment-links/sql.ts': 2,
  'server/src/features/processor-accounts/sql.ts': 1,
  'server/src/features/processor-notifications/sql/notifications.ts': 1,
  'server/src/features/risk/sql.ts': 3,
  'server/src/features/timelines/sql/sandbox-clocks.ts': 2,
  'server/src/features/sandbox/sql/document-counters.ts': 1,
  'server/src/features/sandbox/sql/sandbox-resets.ts': 1,
  'server/src/features/sandbox/sql/sandbox-rows.ts': 4,
  'server/src/features/people/sql/sessions.ts': 1,
  'server/src/features/settlement/sql.ts': 1,
  'server/src/features/settlement/on-request/sql.ts': 1,
  'server/src/platform/database/transition.ts': 2,
  'server/src/platform/rates/shared-tries.ts': 1,
  'server/src/features/people/sql/waiting-accounts.ts': 1,
  'server/src/features/webhooks/sql/attempts.ts': 1,
  'server/src/features/webhooks/sql/claims.ts': 4,
  'server/src/features/webhooks/sql/event-pruning.ts': 2,
  'server/src/features/webhooks/sql/order.ts': 1,
  'server/src/features/webhooks/sql/replays.ts': 1,
  'server/src/features/webhooks/sql/stops.ts': 2,
  'vault/src/audit/audit-store.ts': 1,
  'vault/src/cards/card-store.ts': 1,
  'vault/src/cards/cvv-store.ts': 1,
  'vault/src/consent/accept.ts': 1,
  // Two, until no vault of a release before 0021 runs: those know the advisory lock alone.
  'vault/src/keys/vaults.ts': 2,
  'vault/src/rotation/rewrap-cards.ts': 1,
  'vault/src/rotation/rewrap-keys.ts': 1,
  'vault/src/rotation/rewrap-slice.ts': 1,
  'vault/src/tombstones/rewrapped-cards.ts': 1,
};

/** Locks of statements that a migration runs once. */
const MIGRATION_LOCKS: Readonly<Record<string, number>> = {
  'server/src/platform/database/migrations/0036-ledger-anchor.sql': 1,
};

function countLocks(file: string): number {
  const lines = readFileSync(join(PACKAGES, file), 'utf8').split('\n');
  return lines
    .filter((line) => !COMMENT_PATTERN.test(line))
    .reduce((sum, line) => sum + (line.match(LOCK_PATTERN)?.length ?? 0), 0);
}

it('every lock has a test that fails without it', () => {
  const files = globSync('{contract,server,vault,cli}/src/**/*.{ts,sql}', { cwd: PACKAGES });
  const sources = files.filter((file) => !file.endsWith('.test.ts'));
  const lockCounts = Object.fromEntries(
    sources
      .map((file) => [file, countLocks(file)] as const)
      .filter(([, count]) => count > 0)
      .sort(([a], [b]) => a.localeCompare(b)),
  );
  expect(lockCounts, 'Add a test for the lock to tests/locks, then count it here').toEqual({
    ...TESTED_LOCKS,
    ...MIGRATION_LOCKS,
  });
});
