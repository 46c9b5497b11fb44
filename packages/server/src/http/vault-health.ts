import { setTimeout as sleep } from 'node:timers/promises';
import type { VaultHealth } from '@florin/contract/protocol/vault.ts';
import { Gauge, type Registry } from 'prom-client';
import type { Relay } from '../processors/relay.ts';

/** Longest that a probe waits for the vault. */
const PROBE_MS = 1_000;

/** What the vault of this server says of itself; undefined while it does not answer in time. */
export const vaultHealth = (relay: Relay): Promise<VaultHealth | undefined> =>
  Promise.race([relay.health().catch(() => undefined), sleep(PROBE_MS, undefined, { ref: false })]);

/** What operators are to do about the vault's keys, in sentences without names of hosts. */
export function vaultNotes({ root_keys }: VaultHealth): string[] {
  const { lacks, waits_for, is_due } = root_keys;
  const notes: string[] = [];
  if (lacks.length > 0) {
    notes.push(
      `The vault lacks version ${lacks.join(', ')} of the root key, so cards fail here: copy the key from another vault.`,
    );
  }
  if (waits_for > 0) {
    notes.push(
      `The next root key is not used yet, as ${waits_for} of the vaults lack it: npm run florin -- vault rotate root says which.`,
    );
  }
  if (is_due) {
    notes.push(
      'The root key is due. No vault makes the next one alone, as it has to be copied to the others: npm run florin -- vault rotate root.',
    );
  }
  return notes;
}

/** The gauge of what is amiss with the root key; it is not there while the vault does not answer. */
export function registerVaultKeys(register: Registry, relay: Relay): void {
  new Gauge({
    name: 'florin_vault_root_key_problems',
    help: 'Versions of the root key that the vault lacks, vaults that the next version waits for, and whether a rotation wants an operator',
    labelNames: ['problem'],
    registers: [register],
    async collect() {
      const health = await vaultHealth(relay);
      this.reset();
      if (!health) return;
      const { lacks, waits_for, is_due } = health.root_keys;
      this.set({ problem: 'lacks' }, lacks.length);
      this.set({ problem: 'waits_for' }, waits_for);
      this.set({ problem: 'is_due' }, Number(is_due));
    },
  });
}
