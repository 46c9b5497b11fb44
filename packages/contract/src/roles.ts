import { permissionsOf } from './permissions.ts';
import { resources } from './resources/index.ts';

/** Roles: common sets of permissions. */
export const roleNames = ['administrator', 'developer', 'support', 'finance', 'read_only'] as const;
export type RoleName = (typeof roleNames)[number];

/** Permissions of each role, as patterns of slugs. */
const patterns: Readonly<Record<RoleName, RegExp>> = {
  administrator: /./,
  developer:
    /\.read$|^developer\.|^user\.merchant_tokens\.|^consumer\.(?:customers|customer_merges)\.|^transaction\.payment_links\./,
  support:
    /^(?:consumer|transaction)\..+\.read$|^consumer\.(?:customers|customer_merges|consumer_addresses)\.|^transaction\.(?:refund_demands|disputes|dispute_files|payment_subscriptions|subscription_changes)\./,
  finance:
    /^(?:consumer|transaction|banking|billing|user)\..+\.read$|^transaction\.(?:refund_demands|capture_demands|disputes|dispute_files|settlement_exceptions)\./,
  read_only: /\.read$/,
};

const slugs: readonly string[] = permissionsOf(resources).map(({ slug }) => slug);

export const roleSlugs = (role: RoleName): readonly string[] =>
  slugs.filter((slug) => patterns[role].test(slug));

/** The role with exactly these permissions. Undefined if no role has them. */
export function roleOf(held: readonly string[]): RoleName | undefined {
  const set = new Set(held);
  return roleNames.find((role) => {
    const slugs = roleSlugs(role);
    return slugs.length === set.size && slugs.every((slug) => set.has(slug));
  });
}
