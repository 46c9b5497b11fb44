import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../platform/time/clock.ts';
import type { VaultState } from '../../processors/wire/vault-watch.ts';
import { certificateNotes, registerVault, vaultNotes, vaultStatus } from './vault-health.ts';

const ADDRESS = 'https://vault.example:4700';

const unreachableVault = {
  isUp: () => false,
  downSince: () => undefined,
  health: () => undefined,
  reports: () => [],
};

describe('the notes about a vault that does not answer', () => {
  it('say where to look', () => {
    expect(vaultNotes(unreachableVault, true)).toEqual([
      expect.stringMatching(/^The vault of this server/),
    ]);
  });

  it('name the fault of the connection', () => {
    const report = { address: ADDRESS, health: undefined, certificate_expires_at: undefined };
    const reports = () => [{ ...report, fault: 'CERT_HAS_EXPIRED' }];
    expect(vaultNotes({ ...unreachableVault, reports }, true)).toEqual([
      expect.stringContaining('accepts no messages (CERT_HAS_EXPIRED): see its log'),
    ]);
  });

  it('are omitted while the database is away, which the vault needs too', () => {
    expect(vaultNotes(unreachableVault, false)).toEqual([]);
  });
});

describe('certificates between a server and its vaults', () => {
  const DAY_MS = 86_400_000;
  const now_ms = Date.parse('2026-11-28T10:00:00Z');
  const vaultWith = (own_days: number, vault_days: number): VaultState => ({
    ...unreachableVault,
    certificateExpiresAt: () => now_ms + own_days * DAY_MS,
    reports: () => [
      {
        address: ADDRESS,
        health: undefined,
        certificate_expires_at: now_ms + vault_days * DAY_MS,
        fault: undefined,
      },
    ],
  });
  const notesOf = (own_days: number, vault_days: number) =>
    certificateNotes(vaultWith(own_days, vault_days), now_ms * 1_000);

  it('have no note while they are valid for 15 days', () => {
    expect(notesOf(15, 15)).toEqual([]);
  });

  it('have a note 13 days before they end, and afterwards', () => {
    expect(notesOf(13, -1)).toEqual([
      expect.stringMatching(
        /^The certificate of this server for vaults ends at 2026-12-11T.* no restart is needed\.$/,
      ),
      expect.stringMatching(/^The certificate of a vault ended at 2026-11-27T/),
    ]);
  });

  it('keep their metric while the vault does not answer', async () => {
    const metrics = new Registry();
    const system_clock = systemClock(() => now_ms);
    registerVault(metrics, { vault: vaultWith(13, -1), system_clock });
    const text = await metrics.metrics();
    const name = 'florin_vault_certificate_expiry_seconds';
    expect(text).toContain(`${name}{certificate="server"} `);
    expect(text).toContain(`${name}{certificate="${ADDRESS}"} -`);
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
