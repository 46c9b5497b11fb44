import { useQuery } from '@tanstack/react-query';
import { callInterface } from '../../api/client.ts';
import { addressOf, keyOf } from '../../api/queries.ts';
import { useCan, useScope } from '../../api/scope.ts';
import type { Document, Mode, RecordOf } from '../../api/types.ts';

/** Fate of the keys of a removed member. */
export type KeySettlement = 'revoke' | 'hand_over';

export interface MemberKey {
  readonly id: string;
  readonly name: string;
  readonly mode: Mode;
}

const MODES = ['live', 'sandbox'] as const;
/** The record limit of keys in one mode. */
const PAGE_SIZE = '100';

type Page = Document<readonly RecordOf<'merchant_tokens'>[]>;

/**
 * Working keys of a member in both modes; undefined while they are read. A mode that the person may not read has none
 * here: the server then names the keys when it refuses the removal.
 */
export function useMemberKeys(id: string, isOpen: boolean): readonly MemberKey[] | undefined {
  const scope = useScope();
  const canRead = useCan()('user.merchant_tokens.read');
  const enabled = isOpen && canRead;
  const { data, isLoading } = useQuery({
    queryKey: keyOf(scope, 'merchant_tokens', 'creator', id),
    enabled,
    queryFn: async ({ signal }) => {
      const parameters = { 'filter[creator]': id, 'page[size]': PAGE_SIZE };
      const path = addressOf('merchant_tokens', parameters);
      const pages = await Promise.allSettled(
        MODES.map((mode) => callInterface<Page>({ ...scope, mode }, path, { signal })),
      );
      return pages.flatMap((page, at) =>
        page.status === 'fulfilled' ? keysIn(page.value.document, MODES[at] as Mode) : [],
      );
    },
  });
  return isLoading ? undefined : (data ?? []);
}

const keysIn = ({ data }: Page, mode: Mode): MemberKey[] =>
  data
    .filter(({ attributes: { expiry } }) => expiry === null || Date.parse(expiry) > Date.now())
    .map(({ id, attributes: { name } }) => ({ id, name, mode }));
