import { replaceFact } from '../../platform/database/installation/installation-facts.ts';
import type { Services } from '../../services.ts';

/** Returns a function that stores which vault this process uses, so that a move of a merchant knows where its cards are. */
export function createVaultNote({ db, vault }: Pick<Services, 'db' | 'vault'>) {
  let stored: string | undefined;
  return async (): Promise<void> => {
    const id = vault.health()?.vault_id;
    if (id === undefined || id === stored) return;
    await replaceFact(db, 'vault', id);
    stored = id;
  };
}
