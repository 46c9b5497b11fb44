import { expect, it } from 'vitest';
import { permissionsOf } from './permissions.ts';
import { resources } from './resources/index.ts';
import { roleNames, roleOf, roleSlugs } from './roles.ts';

it.each(roleNames)('%s is known by its permissions', (role) => {
  expect(roleOf(roleSlugs(role).toReversed())).toBe(role);
});

it('only administrators can change permissions', () => {
  for (const role of roleNames.slice(1)) {
    expect(roleSlugs(role).filter((slug) => /^user\.memberships\.(?!read)/.test(slug))).toEqual([]);
  }
});

it('read-only sees all and changes nothing', () => {
  const all = permissionsOf(resources).map(({ slug }) => slug);
  expect(roleSlugs('read_only')).toEqual(all.filter((slug) => slug.endsWith('.read')));
});

it('support can refund, and finance cannot create keys', () => {
  expect(roleSlugs('support')).toContain('transaction.refund_demands.create');
  expect(roleSlugs('finance').some((slug) => slug.includes('merchant_tokens.create'))).toBe(false);
});

it('a set of permissions that matches no role has no name', () => {
  expect(roleOf(['consumer.customers.read'])).toBeUndefined();
});
