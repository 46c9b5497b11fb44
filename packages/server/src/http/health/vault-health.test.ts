import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../platform/time/clock.ts';
import type { VaultState } from '../../processors/wire/vault-watch.ts';
import { registerVault, vaultNotes, vaultStatus } from './vault-health.ts';

const unreachableVault = {
  isUp: () => false,
  downSince: () => undefined,
  health: () => undefined,
};

describe('the notes about a vault that does not answer', () => {
  it('say where to look', () => {
    expect(vaultNotes(unreachableVault, true)).toEqual([
      expect.stringMatching(/^The vault of this server/),
    ]);
  });

  it('are omitted while the database is away, which the vault needs too', () => {
    expect(vaultNotes(unreachableVault, false)).toEqual([]);
  });
});

describe('a vault that lacks a root key', () => {
  const vaultWithoutKey: VaultState = {
    isUp: () => true,
    downSince: () => undefined,
    health: () => ({
      status: 'degraded',
      root_keys: { lacks: [2], waits_for: 0, is_due: false, still_needed: 1 },
      pending_accounts: 2,
      now: 0,
    }),
    reports: () => [],
    certificateExpiresAt: () => undefined,
  };

  it('is degraded, and the note says which key to copy', () => {
    expect(vaultStatus(vaultWithoutKey)).toBe('degraded');
    expect(vaultNotes(vaultWithoutKey, true)).toEqual([
      expect.stringMatching(/^2 processor accounts have addresses, a merchant, rules or secrets/),
      expect.stringMatching(/^The vault lacks version 2 of the root key, so payments fail here/),
      expect.stringMatching(/^An old root key cannot be destroyed/),
    ]);
  });

  it('is counted in the metrics', async () => {
    const metrics = new Registry();
    registerVault(metrics, { vault: vaultWithoutKey, system_clock: systemClock() });
    const text = await metrics.metrics();
    for (const problem of ['lacks', 'still_needed'])
      expect(text).toContain(`florin_vault_root_key_problems{problem="${problem}"} 1`);
  });
});
