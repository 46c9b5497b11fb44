import { useTexts } from '../../../i18n/use-texts.ts';
import type { ProcessorAccount } from '../types.ts';
import { NETWORK } from './rules.ts';

/** Returns the name of an account by its id, with its status if it takes no payments. */
export function useAccountName(accounts: readonly ProcessorAccount[]): (id: string) => string {
  const t = useTexts('processors');
  return (id) => {
    if (id === NETWORK) return t('network');
    const account = accounts.find((candidate) => candidate.id === id);
    if (!account) return id;
    if (account.status === 'enabled') return account.name;
    return t('account_off', { name: account.name });
  };
}
