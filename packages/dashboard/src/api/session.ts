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
  /** Modes in which the membership is valid: memberships created with a sandbox key are not valid in live mode. */
  readonly modes: readonly Mode[];
  /** Merchant status by mode: `active`, `quarantined` … */
  readonly standing: Readonly<Record<Mode, string>>;
  /** Whether a processor takes payments, by mode. */
  readonly processing: Readonly<Record<Mode, boolean>>;
  /** `submitted`: the application is complete and submitted. `approved`: the operator has approved it. */
  readonly submitted: boolean;
  readonly approved: boolean;
  /**
   * When live permissions begin to need a second factor, and whether they do now. Null with a second factor, and where
   * none is required.
   */
  readonly live_needs_factor: { readonly due_at: string; readonly is_due: boolean } | null;
}

/** This installation and its features. */
export interface Instance {
  readonly base_url: string;
  readonly pay_url: string;
  readonly version: string;
  /** Target of emails: an SMTP server, the test mailbox, or none. */
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
    /** Whether the rights of an operator wait for a second factor. */
    readonly needs_factor: boolean;
    readonly email_verified: boolean;
    readonly totp: boolean;
    readonly passkeys: boolean;
  };
  readonly session: {
    readonly id: string;
    readonly fresh_until: string | null;
    /** Seconds without use after which the session ends. */
    readonly idle_seconds: number;
  };
  readonly merchants: readonly Membership[];
  readonly instance: Instance;
}

const FRESH_MS = 60_000;

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => callDashboard<Me>('me', { signal }),
  staleTime: FRESH_MS,
});

/** Reads the installation and its features; works without a sign-in. */
export const useInstance = () =>
  useQuery({
    queryKey: ['instance'],
    queryFn: ({ signal }) => callDashboard<Instance>('instance', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  }).data;

/** Returns the signed-in person. Suspends while loading; use only behind the sign-in. */
export const useMe = (): Me => useSuspenseQuery(meQuery).data;
