import type { VaultHealth } from '@florin/contract/protocol/vault-health.ts';
import { Gauge, type Registry } from 'prom-client';
import { instantText, type Micros, seconds } from '../../platform/time/clock.ts';
import { faultText, type VaultState } from '../../processors/wire/vault-watch.ts';
import type { Services } from '../../services.ts';
import { metricOptions } from './metrics.ts';

const MICROS = 1_000;

/** Status of this server's vault for load balancers and operators. */
export const vaultStatus = (
  vault: Pick<VaultState, 'health'>,
): VaultHealth['status'] | 'unreachable' => vault.health()?.status ?? 'unreachable';

/**
 * Sentences for operators on what to do about the vault, without host names. An unreachable database also
 * blocks the vault, so then no sentence mentions the vault.
 */
export function vaultNotes(
  vault: Pick<VaultState, 'health' | 'downSince' | 'reports'>,
  hasDatabase: boolean,
): string[] {
  const health = vault.health();
  if (health) return keyNotes(health);
  if (!hasDatabase) return [];
  const since = vault.downSince();
  const sinceText = since === undefined ? '' : ` since ${instantText(since)}`;
  return [
    `The vault of this server accepts no messages${sinceText}${faultText(vault.reports())}: see its log. Payments wait for the vault and continue automatically.`,
  ];
}

/** Certificates that end within this time are due: the alert and the doctor have the same limit. */
const CERTIFICATE_DAYS_MIN = 14;
const DAY_SECONDS = 86_400;

/** Sentences for operators about certificates between this server and its vaults, without host names. */
export const certificateNotes = (
  vault: Pick<VaultState, 'reports' | 'certificateExpiresAt'>,
  now: Micros,
): string[] =>
  vaultCertificates(vault).flatMap(({ certificate, expires_at }) => {
    if (expires_at - now > seconds(CERTIFICATE_DAYS_MIN * DAY_SECONDS)) return [];
    const owner = certificate === 'server' ? 'this server for vaults' : 'a vault';
    const verb = expires_at > now ? 'ends' : 'ended';
    return `The certificate of ${owner} ${verb} at ${instantText(expires_at)}. Write a new key and certificate: no restart is needed.`;
  });

function keyNotes(health: VaultHealth): string[] {
  const { root_keys, forged_sealing_keys, forged_wallet_keys, pending_accounts = 0 } = health;
  const { lacks, waits_for, is_due, still_needed = 0 } = root_keys;
  const notes: string[] = [];
  if (pending_accounts > 0) {
    notes.push(
      `${pending_accounts} processor accounts have addresses, a merchant, rules or secrets that no operator has accepted. See npm run florin -- vault rules list.`,
    );
  }
  if (forged_sealing_keys) {
    notes.push(
      'The database of the vault had a public sealing key that is not its own, which Florin does not publish. Find out who changed vault.sealing_keys: see SECURITY.md.',
    );
  }
  if (forged_wallet_keys) {
    notes.push(
      'The database of the vault had a public key of a wallet that is not its own, which Florin does not publish. Find out who changed vault.wallet_keys: see SECURITY.md.',
    );
  }
  if (lacks.length > 0) {
    notes.push(
      `The vault lacks version ${lacks.join(', ')} of the root key, so payments fail here. Copy the key from another vault.`,
    );
  }
  if (waits_for > 0) {
    notes.push(
      `The next root key is not active yet: ${waits_for === 1 ? '1 vault lacks' : `${waits_for} vaults lack`} it. List them with npm run florin -- vault rotate root.`,
    );
  }
  if (still_needed > 0) {
    notes.push(
      'An old root key cannot be destroyed, because a damaged key in the database of the vault still needs it. See root_key_still_needed in the log of the vault.',
    );
  }
  if (is_due) {
    notes.push(
      'The root key is due for rotation. Create the next version with npm run florin -- vault rotate root, then copy it to the other vaults.',
    );
  }
  return notes;
}

/** Gauges of the vault: whether it accepts messages, since when it does not, and the state of its root keys. */
export function registerVault(
  register: Registry,
  { vault, system_clock }: Pick<Services, 'vault' | 'system_clock'>,
): void {
  const registers = [register];
  new Gauge({
    ...metricOptions('florin_vault_up'),
    registers,
    collect() {
      this.set(Number(vault.isUp()));
    },
  });
  new Gauge({
    ...metricOptions('florin_vault_down_seconds'),
    registers,
    collect() {
      const since = vault.downSince();
      this.set(since === undefined ? 0 : (system_clock.now() - since) / seconds(1));
    },
  });
  registerKeys(register, vault);
  registerCalls(register, vault);
  registerConnections(register, { vault, system_clock });
}

/** Gauges of calls, which the vault counts by verb. */
function registerCalls(register: Registry, vault: VaultState): void {
  const gauges = [
    ['florin_vault_calls', 'calls'],
    ['florin_vault_limited_calls', 'limited'],
  ] as const;
  for (const [name, field] of gauges) {
    new Gauge({
      ...metricOptions(name),
      registers: [register],
      collect() {
        this.reset();
        for (const [verb, count] of Object.entries(vault.health()?.[field] ?? {}))
          this.set({ verb }, count);
      },
    });
  }
}

/** Gauges of the root keys. Without an answer of the vault they have no values. */
function registerKeys(register: Registry, vault: VaultState): void {
  new Gauge({
    ...metricOptions('florin_vault_key_age_seconds'),
    registers: [register],
    collect() {
      this.reset();
      for (const [key, age] of Object.entries(vault.health()?.key_ages ?? {}))
        this.set({ key }, age);
    },
  });
  new Gauge({
    ...metricOptions('florin_vault_root_key_problems'),
    registers: [register],
    collect() {
      const health = vault.health();
      this.reset();
      if (!health) return;
      const { lacks, waits_for, is_due, still_needed = 0 } = health.root_keys;
      this.set({ problem: 'still_needed' }, still_needed);
      this.set({ problem: 'forged_sealing_keys' }, Number(health.forged_sealing_keys ?? false));
      this.set({ problem: 'forged_wallet_keys' }, Number(health.forged_wallet_keys ?? false));
      this.set({ problem: 'lacks' }, lacks.length);
      this.set({ problem: 'waits_for' }, waits_for);
      this.set({ problem: 'is_due' }, Number(is_due));
    },
  });
}

/** Gauges of the connections to each vault of this server, and of the certificates on both sides. */
function registerConnections(
  register: Registry,
  { vault, system_clock }: Pick<Services, 'vault' | 'system_clock'>,
): void {
  const registers = [register];
  new Gauge({
    ...metricOptions('florin_vault_connected'),
    registers,
    collect() {
      this.reset();
      for (const { address, health } of vault.reports())
        this.set({ vault: address }, Number(health !== undefined));
    },
  });
  new Gauge({
    ...metricOptions('florin_vault_certificate_expiry_seconds'),
    registers,
    collect() {
      const now = system_clock.now();
      this.reset();
      for (const { certificate, expires_at } of vaultCertificates(vault))
        this.set({ certificate }, Math.floor((expires_at - now) / seconds(1)));
    },
  });
  new Gauge({
    ...metricOptions('florin_vault_pending_accounts'),
    registers,
    collect() {
      this.reset();
      for (const { address, health } of vault.reports())
        if (health?.pending_accounts !== undefined)
          this.set({ vault: address }, health.pending_accounts);
    },
  });
  registerRefusals(register, vault);
}

/** Gauges of what each vault refused, which it counts itself: a thief at its socket goes past the server. */
function registerRefusals(register: Registry, vault: VaultState): void {
  const gauges = [
    ['florin_vault_refused_connections', (health?: VaultHealth) => health?.tls?.refused],
    ['florin_vault_refused_messages', (health?: VaultHealth) => health?.refused_messages],
  ] as const;
  for (const [name, countsOf] of gauges) {
    new Gauge({
      ...metricOptions(name),
      registers: [register],
      collect() {
        this.reset();
        for (const { address, health } of vault.reports())
          for (const [reason, count] of Object.entries(countsOf(health) ?? {}))
            this.set({ vault: address, reason }, count);
      },
    });
  }
}

/** Ends of the certificates of this server, and of its vaults. */
export function vaultCertificates(
  vault: Pick<VaultState, 'reports' | 'certificateExpiresAt'>,
): { readonly certificate: string; readonly expires_at: Micros }[] {
  const ends = [
    { certificate: 'server', end_ms: vault.certificateExpiresAt() },
    ...vault.reports().map(({ address, certificate_expires_at }) => ({
      certificate: address,
      end_ms: certificate_expires_at,
    })),
  ];
  return ends.flatMap(({ certificate, end_ms }) =>
    end_ms === undefined ? [] : [{ certificate, expires_at: end_ms * MICROS }],
  );
}
