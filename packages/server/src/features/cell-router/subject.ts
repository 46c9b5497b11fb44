import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from '../../jsonapi/parse-document/json-body.ts';
import { isUuid } from '../../platform/ids.ts';
import type { EntryKind } from '../cells/sql/directory.ts';
import { merchantNamedByFormToken } from '../checkout/form-tokens.ts';
import { merchantNamedBySession } from '../checkout/session.ts';
import { merchantNamedByReference } from '../checkout/threeds/signed-references.ts';
import { hashKey, looksLikeKey } from '../merchants/api-key.ts';
import { keyHashOf } from '../merchants/authenticate.ts';
import { looksLikeToken } from '../people/accounts/token.ts';
import { merchantNamedByCustomerToken } from '../subscriptions/customer-links/customer-link.ts';
import type { PageOrder } from './join-pages.ts';

/** Request line and headers: all that is read of most requests. */
export interface RequestHead {
  readonly method: string;
  /** Path with query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** Entry of the directory, or the hash of a link in an email to a person. */
export interface RoutedEntry {
  readonly kind: EntryKind | 'account_link';
  readonly value: string;
}

/**
 * Part of a request that finds its cell. `body`: a member of its JSON body. `account`: an account at a processor, which only
 * its cell knows. `new_merchant`: a cell that takes new merchants. `all`: the answers of all cells together, as pages
 * where an order is given. `first`: pages of operators that are of one cell. `any`: each cell gives the same answer.
 */
export type RoutingSubject =
  | RoutedEntry
  | { readonly kind: 'body'; readonly entryOf: (body: JsonObject) => RoutedEntry | undefined }
  | { readonly kind: 'account'; readonly value: string }
  | { readonly kind: 'all'; readonly order?: PageOrder }
  | { readonly kind: 'new_merchant' | 'first' | 'any' };

const ANY: RoutingSubject = { kind: 'any' };

/** The subject of a request. Nothing here is verified: the cell authenticates the request. */
export function routingSubjectOf({ method, url, headers }: RequestHead): RoutingSubject {
  if (headers.authorization !== undefined)
    return entry('key', keyHashOf(headers.authorization)) ?? ANY;
  const { pathname, searchParams } = URL.parse(url, 'http://florin') ?? new URL('http://florin');
  const named = headers['florin-merchant'] ?? searchParams.get('merchant');
  const merchantEntry = typeof named === 'string' && merchant(named);
  if (merchantEntry) return merchantEntry;
  for (const { methods, path, find } of RULES) {
    const match = methods.includes(method) && path.exec(pathname);
    if (match) return find(match[1] ?? '', searchParams) ?? ANY;
  }
  return ANY;
}

const entry = (kind: RoutedEntry['kind'], value: string | undefined): RoutedEntry | undefined =>
  value === undefined ? undefined : { kind, value };

/** A name that is no id must not reach the database as one. Each id has one spelling, so that none evicts others. */
const merchant = (id: string | undefined): RoutedEntry | undefined =>
  id !== undefined && isUuid(id) ? { kind: 'merchant', value: id.toLowerCase() } : undefined;

const sessionEntry = ({ session }: JsonObject): RoutedEntry | undefined =>
  typeof session === 'string' ? merchant(merchantNamedBySession(session)) : undefined;

const linkEntry = ({ token }: JsonObject): RoutedEntry | undefined =>
  typeof token === 'string' && looksLikeToken(token)
    ? { kind: 'account_link', value: hashKey(token) }
    : undefined;

interface Rule {
  readonly methods: readonly string[];
  readonly path: RegExp;
  /** `part`: the first group of `path`. */
  readonly find: (part: string, query: URLSearchParams) => RoutingSubject | undefined;
}

const READS = ['GET', 'HEAD'];
const WRITES = ['POST'];
const BOTH = [...READS, ...WRITES];
const ALL = [...BOTH, 'PUT', 'PATCH', 'DELETE'];

/** Addresses without a key or a header that names the merchant. */
const RULES: readonly Rule[] = [
  { methods: BOTH, path: /^\/l\/([\w-]+)/, find: (code) => ({ kind: 'link', value: code }) },
  {
    methods: BOTH,
    path: /^\/s\/([^/]+)/,
    find: (token) => merchant(merchantNamedByCustomerToken(token)),
  },
  {
    methods: BOTH,
    path: /^\/threeds\/v1\/(?:method|challenge|results)\/([^/]+)/,
    find: (handle) => merchant(merchantNamedByReference(handle)),
  },
  {
    methods: READS,
    path: /^\/pay\/[^/]+\/?$/,
    find(_, query) {
      const key = query.get('key') ?? '';
      return looksLikeKey(key)
        ? { kind: 'key', value: hashKey(key) }
        : merchant(merchantNamedByFormToken(key));
    },
  },
  {
    methods: READS,
    path: /^\/frame\/v1\/status/,
    find: (_, query) => sessionEntry({ session: query.get('session') }),
  },
  {
    methods: WRITES,
    path: /^\/frame\/v1\/(?!csp-report)/,
    find: () => ({ kind: 'body', entryOf: sessionEntry }),
  },
  {
    methods: WRITES,
    path: /^\/notifications\/([^/]+)/,
    find: (account) => ({ kind: 'account', value: account }),
  },
  {
    methods: ALL,
    path: /^\/dashboard\/api\/(?:operator\/merchants|invitations)\/([^/]+)/,
    find: merchant,
  },
  {
    methods: WRITES,
    path: /^\/dashboard\/api\/links\//,
    find: () => ({ kind: 'body', entryOf: linkEntry }),
  },
  {
    methods: WRITES,
    path: /^\/dashboard\/api\/merchants\/?$/,
    find: () => ({ kind: 'new_merchant' }),
  },
  {
    methods: ['GET'],
    path: /^\/dashboard\/api\/(?:me|invitations)\/?$/,
    find: () => ({ kind: 'all' }),
  },
  {
    methods: ['GET'],
    path: /^\/dashboard\/api\/operator\/(merchants|disputes|unknown_outcomes|settlement_exceptions)\/?$/,
    find: (list, query) => ({ kind: 'all', order: pageOrderOf(list, query) }),
  },
  { methods: ALL, path: /^\/dashboard\/api\/operator\//, find: () => ({ kind: 'first' }) },
];

/** Orders of the lists that operators page through. */
function pageOrderOf(list: string, query: URLSearchParams): PageOrder {
  if (list === 'unknown_outcomes') return { at: 'since', is_descending: false };
  if (list !== 'merchants') return { at: 'created_at', is_descending: false };
  return query.get('only') === 'review_due'
    ? { at: 'review_due_at', is_descending: false }
    : { at: 'created_at', is_descending: true };
}
