import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { callDashboard } from './client.ts';
import type { Mode } from './types.ts';

/** What a person may do for a merchant. */
export interface Membership {
  readonly id: string;
  readonly business_name: string | null;
  readonly membership_id: string;
  readonly opener: boolean;
  readonly permissions: 'all' | readonly string[];
  /** Where the membership counts: one that a sandbox key gave is of no effect in live mode. */
  readonly modes: readonly Mode[];
  /** How the merchant stands with the operator in each mode: `active`, `quarantined` … */
  readonly standing: Readonly<Record<Mode, string>>;
  /** In which modes a processor takes its payments. */
  readonly processing: Readonly<Record<Mode, boolean>>;
  /** Whether all that is asked of it was told, and whether the operator has approved it. */
  readonly submitted: boolean;
  readonly approved: boolean;
}

/** Where this is, and what is possible here. */
export interface Instance {
  readonly base_url: string;
  readonly pay_url: string;
  readonly version: string;
  /** How mail reaches people: by a server, into a box that is read here, or not at all. */
  readonly mail: 'smtp' | 'mailbox' | 'none';
  readonly registration: 'open' | 'closed';
}

/** Who is signed in, and what there is for them. */
export interface Me {
  readonly account: {
    readonly id: string;
    readonly email: string;
    readonly name: string | null;
    readonly operator: boolean;
    readonly email_verified: boolean;
    readonly totp: boolean;
    readonly passkeys: boolean;
  };
  readonly session: { readonly id: string; readonly fresh_until: string | null };
  readonly merchants: readonly Membership[];
  readonly instance: Instance;
}

const FRESH_MS = 60_000;

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => callDashboard<Me>('me', { signal }),
  staleTime: FRESH_MS,
});

/** The same of the installation, for those who have not signed in. */
export const useInstance = () =>
  useQuery({
    queryKey: ['instance'],
    queryFn: ({ signal }) => callDashboard<Instance>('instance', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  }).data;

/** The signed-in person; only for pages that are for those who have signed in. */
export const useMe = (): Me => useSuspenseQuery(meQuery).data;
