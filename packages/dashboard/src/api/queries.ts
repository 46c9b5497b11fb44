import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callDashboard, callInterface, type Method } from './client.ts';
import { isProblem, isRefusal } from './errors.ts';
import { type SendKey, useSendKey } from './keys.ts';
import { useMaybeScope, useScope } from './scope.ts';
import type { Document, RecordOf, Resource, ResourceType, Scope } from './types.ts';

/** Parameters of the interface by their name: `{ 'filter[status]': 'succeeded', sort: '-created_at' }`. */
export type Parameters = Readonly<Record<string, string>>;

/** The address of records, with the parameters that are not empty. */
export function addressOf(path: string, parameters: Parameters = {}): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== '');
  const query = new URLSearchParams(given).toString();
  return `/v2/${path}${query && `?${query}`}`;
}

export type Page<T extends ResourceType> = Document<readonly RecordOf<T>[]>;

export const keyOf = ({ merchant, mode }: Scope, ...rest: readonly unknown[]) =>
  ['v2', merchant, mode, ...rest] as const;

/** How the first page of a list is read, for `useQuery` and `useQueries`. */
export const pageQuery = <T extends ResourceType>(
  scope: Scope,
  type: T,
  parameters: Parameters = {},
) =>
  queryOptions({
    queryKey: keyOf(scope, type, 'page', parameters),
    queryFn: async ({ signal }): Promise<Page<T>> => {
      const path = addressOf(type, parameters);
      return (await callInterface<Page<T>>(scope, path, { signal })).document;
    },
  });

export interface Fetched<T extends ResourceType> {
  readonly record: RecordOf<T>;
  readonly included: readonly Resource[];
  /** For `If-Match` of a change that a form makes of it. */
  readonly etag: string | undefined;
}

/** How a record is read, for `useQuery`, `ensureQueryData` and the like. */
export const recordQuery = <T extends ResourceType>(
  scope: Scope,
  type: T,
  id: string,
  parameters: Parameters = {},
) =>
  queryOptions({
    queryKey: keyOf(scope, type, 'record', id, parameters),
    queryFn: async ({ signal }): Promise<Fetched<T>> => {
      const path = addressOf(`${type}/${encodeURIComponent(id)}`, parameters);
      const { document, etag } = await callInterface<Document<RecordOf<T>>>(scope, path, {
        signal,
      });
      return { record: document.data, included: document.included ?? [], etag };
    },
  });

/** One record, and those that `parameters.include` names. */
export const useRecord = <T extends ResourceType>(type: T, id: string, parameters?: Parameters) =>
  useQuery(recordQuery(useScope(), type, id, parameters));

/** Records that a record leads to over a relation: the first page. */
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

/** What a write says: attributes, and the ids that relations lead to. */
export interface Draft {
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, unknown>>;
}

/** Whether the page still shows what is: a write may have been done that was not answered, or sent before. */
const isCertain = (error: unknown): boolean =>
  isRefusal(error) && !isProblem(error, 'idempotency_conflict');

interface Write {
  readonly path: string;
  readonly method: Method;
  readonly id?: string;
  readonly if_match?: string | undefined;
  /** Of a component above, where this one goes before it is known how the write ended. */
  readonly key?: SendKey | undefined;
}

/**
 * One write to a type. Its key is made when the component appears, so that a second click or try does the same thing
 * once; where it has succeeded the next one gets another key.
 */
function useWrite<T extends ResourceType>(type: T, { path, method, id, if_match, key }: Write) {
  const scope = useScope();
  const queries = useQueryClient();
  const own = useSendKey();
  const { current, done, failed } = key ?? own;
  return useMutation({
    mutationFn: async (draft: Draft) => {
      const body = { data: { type, ...(id && { id }), ...draft } };
      const options = { method, body, if_match, idempotency_key: current() };
      return (await callInterface<Document<RecordOf<T>>>(scope, addressOf(path), options)).document
        .data;
    },
    onSuccess: () => {
      done();
      return queries.invalidateQueries({ queryKey: keyOf(scope) });
    },
    // What was refused was not done; what was not answered may have been, which the page then shows.
    onError: (error) => {
      failed(error);
      if (!isCertain(error)) void queries.invalidateQueries({ queryKey: keyOf(scope) });
    },
  });
}

export const useCreate = <T extends ResourceType>(type: T, key?: SendKey) =>
  useWrite(type, { path: type, method: 'POST', key });

/** Changes a record; `etag` is that of the record the form shows, so that nobody's change is lost. */
export const useUpdate = <T extends ResourceType>(type: T, id: string, etag?: string) =>
  useWrite(type, { path: `${type}/${id}`, method: 'PATCH', id, if_match: etag });

/** A state change with an address of its own, such as `confirm` of a payment. */
export const useAction = <T extends ResourceType>(type: T, id: string, action: string) =>
  useWrite(type, { path: `${type}/${id}/${action}`, method: 'PATCH', id });

/** How `/dashboard/api/<path>` is read, for a merchant and mode where the address is about one. */
export const dashboardQuery = <D>(scope: Scope | undefined, path: string) =>
  queryOptions({
    queryKey: ['dashboard', scope?.merchant, scope?.mode, path],
    queryFn: ({ signal }) => callDashboard<D>(path, { signal, scope }),
  });

/** What `/dashboard/api/<path>` answers, for the merchant and mode of the page where it has them. */
export const useDashboard = <D>(path: string, options: { readonly enabled?: boolean } = {}) =>
  useQuery({ ...dashboardQuery<D>(useMaybeScope(), path), ...options });

/** Where the server looks at idempotency keys: no other write below `/dashboard/api/` may be sent again unasked. */
const WITH_KEYS = /^(?:operator\/|(?:merchants|financial_institutions)$)/;

/** A write below `/dashboard/api/`; all that was read from there is read again afterwards. */
export function useDashboardWrite<B extends object, D = unknown>(path: string, method: Method) {
  const queries = useQueryClient();
  const scope = useMaybeScope();
  const { current, done, failed } = useSendKey();
  return useMutation({
    mutationFn: (body: B) => {
      const key = WITH_KEYS.test(path) && { idempotency_key: current() };
      return callDashboard<D>(path, { method, body, scope, ...key });
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
