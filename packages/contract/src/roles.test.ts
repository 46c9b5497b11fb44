import { expect, it } from 'vitest';
import { permissionsOf } from './permissions.ts';
import { resources } from './resources/index.ts';
import { roleNames, roleOf, roleSlugs } from './roles.ts';

it.each(roleNames)('%s is known by its permissions', (role) => {
  expect(roleOf(roleSlugs(role).toReversed())).toBe(role);
});

it('no role but the administrator changes who may do what', () => {
  for (const role of roleNames.slice(1)) {
    expect(roleSlugs(role).filter((slug) => /^user\.memberships\.(?!read)/.test(slug))).toEqual([]);
  }
});

it('read-only sees all and changes nothing', () => {
  const all = permissionsOf(resources).map(({ slug }) => slug);
  expect(roleSlugs('read_only')).toEqual(all.filter((slug) => slug.endsWith('.read')));
});

it('support gives money back, and finance makes no keys', () => {
  expect(roleSlugs('support')).toContain('transaction.refund_demands.create');
  expect(roleSlugs('finance').some((slug) => slug.includes('merchant_tokens.create'))).toBe(false);
});

it('permissions that are no role have no name', () => {
  expect(roleOf(['consumer.customers.read'])).toBeUndefined();
});
