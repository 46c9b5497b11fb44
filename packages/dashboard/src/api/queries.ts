import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callDashboard, callInterface, type Method } from './client.ts';
import { isProblem, isRefusal } from './errors.ts';
import { type SendKey, useSendKey } from './keys.ts';
import { useMaybeScope, useScope } from './scope.ts';
import type { Document, RecordOf, Resource, ResourceType, Scope } from './types.ts';

/** Query parameters of the interface: `{ 'filter[status]': 'succeeded', sort: '-created_at' }`. */
export type Parameters = Readonly<Record<string, string>>;

/** Returns a path with all query parameters that are not empty. */
export function addressOf(path: string, parameters: Parameters = {}): string {
  const entries = Object.entries(parameters).filter(([, value]) => value !== '');
  const query = new URLSearchParams(entries).toString();
  return `/v2/${path}${query && `?${query}`}`;
}

/** Returns the path of a list. Only the dashboard's own interface knows `q`, a search beside the filters of payments. */
export function listAddressOf(type: ResourceType, parameters: Parameters): string {
  const address = addressOf(type, parameters);
  return parameters.q ? address.replace(/^[^?]+/, '/dashboard/api/payments') : address;
}

export type FetchedPage<T extends ResourceType> = Document<readonly RecordOf<T>[]>;

export const keyOf = ({ merchant, mode }: Scope, ...rest: readonly unknown[]) =>
  ['v2', merchant, mode, ...rest] as const;

/** Query for the first page of a list. */
export const pageQuery = <T extends ResourceType>(
  scope: Scope,
  type: T,
  parameters: Parameters = {},
) =>
  queryOptions({
    queryKey: keyOf(scope, type, 'page', parameters),
    queryFn: async ({ signal }): Promise<FetchedPage<T>> => {
      const path = addressOf(type, parameters);
      return (await callInterface<FetchedPage<T>>(scope, path, { signal })).document;
    },
  });

export interface FetchedRecord<T extends ResourceType> {
  readonly record: RecordOf<T>;
  readonly included: readonly Resource[];
  /** Entity tag for `If-Match` of forms that change the record. */
  readonly etag: string | undefined;
}

/** Query for a record by id. */
export const recordQuery = <T extends ResourceType>(
  scope: Scope,
  type: T,
  id: string,
  parameters: Parameters = {},
) =>
  queryOptions({
    queryKey: keyOf(scope, type, 'record', id, parameters),
    queryFn: async ({ signal }): Promise<FetchedRecord<T>> => {
      const path = addressOf(`${type}/${encodeURIComponent(id)}`, parameters);
      const { document, etag } = await callInterface<Document<RecordOf<T>>>(scope, path, {
        signal,
      });
      return { record: document.data, included: document.included ?? [], etag };
    },
  });

/** Reads a record and the records that `parameters.include` names. */
export const useRecord = <T extends ResourceType>(type: T, id: string, parameters?: Parameters) =>
  useQuery(recordQuery(useScope(), type, id, parameters));

/** Reads the first page of the records in a relation. */
export function useRelated(type: ResourceType, id: string, relation: string) {
  const scope = useScope();
  return useQuery({
    queryKey: keyOf(scope, type, 'related', id, relation),
    queryFn: async ({ signal }) => {
      const path = addressOf(`${type}/${encodeURIComponent(id)}/relationships/${relation}`);
      return (await callInterface<Document<readonly Resource[]>>(scope, path, { signal })).document;
    },
  });
}

/** Body of a write: attributes, and the ids of related records. */
export interface Draft {
  /** Id of the record, if the record was created after the form appeared. */
  readonly id?: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, unknown>>;
}

/**
 * Whether the cached records are certainly current. A write without a response, or an earlier one with the same key,
 * may have taken effect.
 */
const isCertain = (error: unknown): boolean =>
  isRefusal(error) && !isProblem(error, 'idempotency_conflict');

interface Write {
  readonly method: Method;
  readonly id?: string;
  readonly action?: string;
  readonly if_match?: string | undefined;
  /** Idempotency key of a parent component, for forms that close before the outcome is known. */
  readonly key?: SendKey | undefined;
}

/**
 * Returns a write to a type. The idempotency key lives as long as the component, so a second click repeats the same
 * write. After a success the next write gets a new key.
 */
function useWrite<T extends ResourceType>(type: T, write: Write) {
  const { method, action, if_match, key } = write;
  const scope = useScope();
  const queries = useQueryClient();
  const own = useSendKey();
  const { current, done, failed } = key ?? own;
  return useMutation({
    mutationFn: async ({ id = write.id, ...draft }: Draft) => {
      const path = [type, id, action].filter(Boolean).join('/');
      const body = { data: { type, ...(id && { id }), ...draft } };
      const options = { method, body, if_match, idempotency_key: current() };
      return (await callInterface<Document<RecordOf<T>>>(scope, addressOf(path), options)).document
        .data;
    },
    onSuccess: () => {
      done();
      return queries.invalidateQueries({ queryKey: keyOf(scope) });
    },
    // A write without a response may have taken effect, so the page is read again.
    onError: (error) => {
      failed(error);
      if (!isCertain(error)) void queries.invalidateQueries({ queryKey: keyOf(scope) });
    },
  });
}

export const useCreate = <T extends ResourceType>(type: T, key?: SendKey) =>
  useWrite(type, { method: 'POST', key });

/**
 * Updates a record. `etag` identifies the version that the form shows, so that the update overwrites no other change.
 */
export const useUpdate = <T extends ResourceType>(type: T, id: string, etag?: string) =>
  useWrite(type, { method: 'PATCH', id, if_match: etag });

/** Runs an action of a record, such as `confirm` of a payment. */
export const useAction = <T extends ResourceType>(
  type: T,
  id: string,
  action: string,
  key?: SendKey,
) => useWrite(type, { method: 'PATCH', id, action, key });

/** Query for `/dashboard/api/<path>`. A scope is needed if the path belongs to one merchant. */
export const dashboardQuery = <D>(scope: Scope | undefined, path: string) =>
  queryOptions({
    queryKey: ['dashboard', scope?.merchant, scope?.mode, path],
    queryFn: ({ signal }) => callDashboard<D>(path, { signal, scope }),
  });

/** Reads `/dashboard/api/<path>` for the merchant and mode of the page, if the page has them. */
export const useDashboard = <D>(path: string, options: { readonly enabled?: boolean } = {}) =>
  useQuery({ ...dashboardQuery<D>(useMaybeScope(), path), ...options });

/**
 * Paths where the server accepts idempotency keys. Other writes below `/dashboard/api/` must not be repeated
 * automatically.
 */
const WITH_KEYS = /^(?:operator\/|(?:merchants|financial_institutions|payments\/[^/]+\/notes)$)/;

interface DashboardWrite {
  /** Version that the form shows, so that the write overwrites no other change. */
  readonly if_match?: string;
}

/** Writes below `/dashboard/api/`, then reads everything from there again. */
export function useDashboardWrite<B extends object, D = unknown>(
  path: string,
  method: Method,
  { if_match }: DashboardWrite = {},
) {
  const queries = useQueryClient();
  const scope = useMaybeScope();
  const { current, done, failed } = useSendKey();
  return useMutation({
    mutationFn: (body: B) => {
      const key = WITH_KEYS.test(path) && { idempotency_key: current() };
      return callDashboard<D>(path, { method, body, scope, if_match, ...key });
    },
    onSuccess: async () => {
      done();
      await queries.invalidateQueries({ queryKey: ['dashboard'] });
      await queries.invalidateQueries({ queryKey: ['me'] });
    },
    onError: (error) => {
      failed(error);
      if (!isCertain(error)) void queries.invalidateQueries({ queryKey: ['dashboard'] });
    },
  });
}
