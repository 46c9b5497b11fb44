import type { AccountSettings } from './metadata.ts';

/** Refuses a live account whose address has no TLS, such as a stand-in of the simulator. */
export const refusalOfPlainAddress = ({
  mode,
  settings,
}: Pick<AccountSettings, 'mode' | 'settings'>): string | undefined =>
  mode === 'live' && new URL(settings.api_url as string).protocol !== 'https:'
    ? 'settings.api_url must begin with https: the account is for live mode.'
    : undefined;
