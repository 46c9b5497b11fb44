import { roleSlugs } from '@florin/contract/roles.ts';
import { describe, expect, it } from 'vitest';
import { defaultOf, type NotifiedMember, recipientsOf } from './decide.ts';

const member = (
  membership_id: string,
  permissions: NotifiedMember['permissions'],
  choices: NotifiedMember['choices'] = {},
): NotifiedMember => ({
  membership_id,
  email: `${membership_id}@example.com`,
  permissions,
  choices,
});

const owner = member('owner', 'all');
const support = member('support', new Set(roleSlugs('support')));
const reader = member('reader', new Set(roleSlugs('read_only')));
const nobody = member('nobody', new Set());

const idsOf = (...input: Parameters<typeof recipientsOf>) => {
  const { app, email } = recipientsOf(...input);
  const nameOf = (one: NotifiedMember) => one.membership_id;
  return { app: app.map(nameOf), email: email.map(nameOf) };
};

describe('a notification', () => {
  it('is shown to members who may read the record, and emailed to those who can act on it', () => {
    const members = [owner, support, reader, nobody];
    expect(idsOf(members, 'dispute_opened', 'live')).toEqual({
      app: ['owner', 'support', 'reader'],
      email: ['owner', 'support'],
    });
    expect(idsOf(members, 'webhook_paused', 'live')).toEqual({
      app: ['owner', 'reader'],
      email: ['owner'],
    });
  });

  it('of the sandbox is not emailed without a choice', () => {
    expect(idsOf([owner], 'dispute_opened', 'sandbox')).toEqual({
      app: ['owner'],
      email: [],
    });
  });

  it('follows the choices of each member and channel', () => {
    const members = [
      member('owner', 'all', { app: false }),
      member('reader', reader.permissions, { email: true }),
    ];
    expect(idsOf(members, 'dispute_opened', 'live')).toEqual({
      app: ['reader'],
      email: ['owner', 'reader'],
    });
  });

  it('of a mention is emailed in the sandbox too, unless the member switched it off', () => {
    const members = [reader, member('quiet', 'all', { email: false })];
    expect(idsOf(members, 'mention', 'sandbox')).toEqual({
      app: ['reader', 'quiet'],
      email: ['reader'],
    });
  });

  it('never reaches a member who may not see the record, whatever the choice', () => {
    const members = [member('nobody', nobody.permissions, { app: true, email: true })];
    expect(idsOf(members, 'dispute_opened', 'live')).toEqual({ app: [], email: [] });
  });
});

it('a default depends on the permission to act, and on the mode', () => {
  const read = new Set(['transaction.disputes.read']);
  const write = new Set([...read, 'transaction.disputes.update']);
  const emailed = (permissions: Set<string>, mode: 'live' | 'sandbox') =>
    defaultOf('email', 'evidence_due', { permissions, mode });
  expect([emailed(read, 'live'), emailed(write, 'live'), emailed(write, 'sandbox')]).toEqual([
    false,
    true,
    false,
  ]);
});
