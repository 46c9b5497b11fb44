import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callInterface, type Method } from '../../api/client.ts';
import { useSendKey } from '../../api/keys.ts';
import { nextOf } from '../../api/list.ts';
import { addressOf, keyOf } from '../../api/queries.ts';
import { useScope } from '../../api/scope.ts';
import { useMe } from '../../api/session.ts';
import type { Document, RecordOf, Scope } from '../../api/types.ts';
import { membersOf } from './members.ts';
import type { KeySettlement } from './use-member-keys.ts';

const PAGE_SIZE = '100';
/** Above the pages that the record limit of members allows. */
const PAGES_MAX = 6;

/** Reads all pages of a short list. */
async function readAll<T extends 'memberships' | 'permissions'>(
  scope: Scope,
  type: T,
  parameters: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Page<T>[]> {
  const pages: Page<T>[] = [];
  let next: string | undefined = addressOf(type, { 'page[size]': PAGE_SIZE, ...parameters });
  while (next !== undefined && pages.length < PAGES_MAX) {
    const page: Page<T> = (await callInterface<Page<T>>(scope, next, { signal })).document;
    pages.push(page);
    next = nextOf(page);
  }
  return pages;
}

type Page<T extends 'memberships' | 'permissions'> = Document<readonly RecordOf<T>[]>;

interface MembersOptions {
  /** Whether to include removed members. */
  readonly former?: boolean;
  /** Whether to read them at all. Default: yes. */
  readonly enabled?: boolean;
}

/** Members and invited people. */
export function useMembers({ former = false, enabled = true }: MembersOptions = {}) {
  const scope = useScope();
  return useQuery({
    enabled,
    queryKey: keyOf(scope, 'memberships', former ? 'ever' : 'team'),
    queryFn: async ({ signal }) => {
      const include = {
        include: 'account,permissions',
        'fields[permissions]': 'slug',
        ...(!former && { 'filter[removed_at]': 'null' }),
      };
      const pages = await readAll(scope, 'memberships', include, signal);
      return pages.flatMap(({ data, included = [] }) => membersOf(data, included));
    },
  });
}

/** Returns the ids of permissions by slug. */
export function usePermissionIds() {
  const scope = useScope();
  return useQuery({
    queryKey: keyOf(scope, 'permissions', 'ids'),
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const pages = await readAll(scope, 'permissions', {}, signal);
      const records = pages.flatMap(({ data }) => data);
      return new Map(records.map(({ id, attributes }) => [attributes.slug, id]));
    },
  });
}

interface MembershipWrite {
  readonly method: Method;
  /** Path below `/v2/memberships`. */
  readonly path?: string;
  readonly id?: string;
  /** Runs before the team is read again, because reading may unmount the caller. */
  readonly onDone: (draft: Draft) => void;
}

interface Draft {
  readonly email?: string;
  /** Ids of permissions. */
  readonly permissions?: readonly string[];
  readonly keys?: KeySettlement;
}

/**
 * Writes a membership. Sandbox memberships are not valid in live mode, so the write goes to live mode if the person
 * has a membership there.
 */
export function useMembershipWrite({ method, path = '', id, onDone }: MembershipWrite) {
  const scope = useScope();
  const queries = useQueryClient();
  const mode = useHighestMode(scope);
  const key = useSendKey();
  return useMutation({
    mutationFn: async ({ email, permissions, keys }: Draft) => {
      const data = {
        type: 'memberships',
        ...(id && { id }),
        attributes: { ...(email && { email }), ...(keys && { keys }) },
        relationships: permissions && {
          permissions: { data: permissions.map((id) => ({ type: 'permissions', id: id })) },
        },
      };
      const options = { method, body: { data }, idempotency_key: key.current() };
      await callInterface({ ...scope, mode }, `/v2/memberships${path}`, options);
    },
    onSuccess: (_answer, draft) => {
      key.done();
      onDone(draft);
    },
    onError: (error) => key.failed(error),
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: keyOf(scope, 'memberships') });
      await queries.invalidateQueries({ queryKey: keyOf(scope, 'merchant_tokens') });
    },
  });
}

function useHighestMode({ merchant, mode }: Scope): Scope['mode'] {
  const membership = useMe().merchants.find(({ id }) => id === merchant);
  return membership?.modes.includes('live') ? 'live' : mode;
}
