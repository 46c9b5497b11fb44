import type { RecordOf, Resource } from '../../api/types.ts';

/** A member or an invited person. */
export interface MemberView {
  readonly id: string;
  /** Id of the account, once the invitation is accepted. */
  readonly account_id: string | undefined;
  readonly email: string;
  readonly name: string | undefined;
  readonly opener: boolean;
  readonly accepted: boolean;
  readonly slugs: readonly string[];
}

/** Joins memberships with their included accounts and permissions. */
export function membersOf(
  records: readonly RecordOf<'memberships'>[],
  included: readonly Resource[],
): readonly MemberView[] {
  const includedByKey = new Map(
    included.map((resource) => [`${resource.type} ${resource.id}`, resource.attributes]),
  );
  return records.map(({ id, attributes, relationships }) => {
    const account_id = idOf(relationships?.account?.data);
    const account = includedByKey.get(`accounts ${account_id}`);
    const permissions = relationships?.permissions?.data;
    const ids = Array.isArray(permissions)
      ? permissions.map((identifier: { id: string }) => identifier.id)
      : [];
    return {
      id,
      account_id: account_id || undefined,
      email: String(account?.email ?? attributes.email ?? ''),
      name: account?.name == null ? undefined : String(account.name),
      opener: attributes.opener === true,
      accepted: attributes.accepted_at != null,
      slugs: ids.map((id) => String(includedByKey.get(`permissions ${id}`)?.slug ?? '')),
    };
  });
}

const idOf = (data: unknown): string => (data as { id?: string } | null | undefined)?.id ?? '';
