import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { callDashboard } from './client.ts';
import type { Mode } from './types.ts';

/** A person's permissions for one merchant. */
export interface Membership {
  readonly id: string;
  readonly business_name: string | null;
  readonly membership_id: string;
  readonly opener: boolean;
  readonly permissions: 'all' | readonly string[];
  /** Modes in which the membership counts: memberships created with a sandbox key have no effect in live mode. */
  readonly modes: readonly Mode[];
  /** Merchant status in each mode: `active`, `quarantined` … */
  readonly standing: Readonly<Record<Mode, string>>;
  /** Whether a processor takes payments, by mode. */
  readonly processing: Readonly<Record<Mode, boolean>>;
  /** Whether the application is complete and submitted, and whether the operator approved it. */
  readonly submitted: boolean;
  readonly approved: boolean;
}

/** The installation and its features. */
export interface Instance {
  readonly base_url: string;
  readonly pay_url: string;
  readonly version: string;
  /** Email goes out over SMTP, into the test mailbox, or nowhere. */
  readonly mail: 'smtp' | 'mailbox' | 'none';
  readonly registration: 'open' | 'closed';
}

/** The person who is signed in. */
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

/** The installation and its features, for visitors who are not signed in. */
export const useInstance = () =>
  useQuery({
    queryKey: ['instance'],
    queryFn: ({ signal }) => callDashboard<Instance>('instance', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  }).data;

/** The signed-in person; suspends, and must only be used behind the sign-in. */
export const useMe = (): Me => useSuspenseQuery(meQuery).data;
