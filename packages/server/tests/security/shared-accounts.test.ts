import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { merchantsOfAccount } from '../../src/features/people/sql/accounts.ts';
import { useApi } from '../support/api.ts';
import {
  type Answer,
  type Client,
  documentOf,
  type ResourceObject,
  UNKNOWN_ID,
} from '../support/client.ts';

const api = useApi();

/** The demo merchant's people also belong to another merchant. The owner's identification is the demo merchant's. */
let otherClient: Client;
let otherMerchantId: string;
let account: ResourceObject;
let identificationId: string;
/** The identified owner, and a person without identification. */
let accountIdList: string;

beforeAll(async () => {
  const accounts = (await api.client.get('/v2/accounts?sort=email')).body.data;
  account = accounts[0];
  accountIdList = idsOf({ body: { data: accounts } } as Answer).join();
  identificationId = (account.relationships.personal_identification!.data as ResourceObject).id;
  const merchant = await api.fixtures.makeMerchant();
  otherMerchantId = merchant.id;
  otherClient = api.as(await merchant.makeKey());
  for (const { id } of accounts) await joinMerchant(merchant.id, id);
});

/** Simulates the acceptance of an invitation. */
const joinMerchant = (merchant_id: string, account_id: string) =>
  api.fixtures.db.query(
    `insert into memberships (merchant_id, id, account_id, opener, permissions, accepted_at, created_at, updated_at)
     values ($1, $2, $3, false, '[]', now(), now(), now())`,
    [merchant_id, randomUUID(), account_id],
  );

const idsOf = ({ body }: Answer): string[] =>
  [body.data].flat().map(({ id }: ResourceObject) => id);

describe('an account of two merchants', () => {
  it('is the same person for both', async () => {
    const otherAccount = await otherClient.fetch('accounts', account.id);
    expect(otherAccount.attributes).toEqual(account.attributes);
  });

  it('shows each merchant its own membership only', async () => {
    const path = `/v2/accounts/${account.id}`;
    const [ownMembershipId] = idsOf(await api.client.get(`${path}/relationships/memberships`));
    const [otherMembershipId] = idsOf(await otherClient.get(`${path}/relationships/memberships`));
    expect(ownMembershipId).not.toBe(otherMembershipId);
    for (const [client, visibleId, hiddenId] of [
      [api.client, ownMembershipId, otherMembershipId],
      [otherClient, otherMembershipId, ownMembershipId],
    ] as const) {
      const { body } = await client.get(`${path}?include=memberships.merchant`);
      expect(JSON.stringify(body)).toContain(visibleId);
      expect(JSON.stringify(body)).not.toContain(hiddenId);
      expect(idsOf(await client.get(`/v2/accounts?filter[memberships]=${visibleId}`))).toEqual([
        account.id,
      ]);
      expect(idsOf(await client.get(`/v2/accounts?filter[memberships]=${hiddenId}`))).toEqual([]);
    }
  });

  it('is an owner for one and not for the other, also in filters', async () => {
    const openersPath = `/v2/accounts?filter[memberships.opener]=true&filter[id]=${account.id}`;
    expect(idsOf(await api.client.get(openersPath))).toEqual([account.id]);
    expect(idsOf(await otherClient.get(openersPath))).toEqual([]);
  });
});

describe.each([
  ['another merchant', () => [otherClient, 'accounts', account.id] as const],
  ['a key of the other mode, of an account', () => [api.live, 'accounts', account.id] as const],
])('the identification, for %s', (_who, getTarget) => {
  it('is not found', async () => {
    const [client, type, id] = getTarget();
    const path = `/v2/${type}/${id}`;
    const record = await client.fetch(type, id);
    expect(record.relationships.personal_identification?.data).toBeNull();
    const related = await client.get(`${path}/relationships/personal_identification`);
    expect([related.status, related.body.data]).toEqual([200, null]);
    const { body } = await client.get(`${path}?include=personal_identification`);
    expect(body.included).toEqual([]);
    expect(JSON.stringify(body)).not.toContain(identificationId);
  });

  it('is not revealed by filters either', async () => {
    const [client, type, id] = getTarget();
    const findIds = async (filter: string) =>
      idsOf(await client.get(`/v2/${type}?filter[id]=${id}&filter[${filter}`));
    for (const filter of [
      `personal_identification]=${identificationId}`,
      `personal_identification.id]=${identificationId}`,
      `personal_identification][ne]=null`,
      'personal_identification.created_at_gte]=2000-01-01',
    ]) {
      expect([filter, await findIds(filter)]).toEqual([filter, []]);
    }
    expect(await findIds('personal_identification]=null')).toEqual([id]);
    expect(await findIds(`personal_identification][ne]=${UNKNOWN_ID}`)).toEqual(
      await findIds(`personal_identification][ne]=${identificationId}`),
    );
  });

  it('is not revealed by sorts either', async () => {
    const [client, type] = getTarget();
    const readSortedIds = async (sort: string) => {
      const { body } = await client.get(
        `/v2/${type}?filter[id]=${accountIdList}&sort=${sort}&page[size]=1`,
      );
      const nextPage = await client.get(body.links.next as string);
      expect(JSON.stringify([body, nextPage.body])).not.toContain(identificationId);
      return [...idsOf({ body } as Answer), ...idsOf(nextPage)];
    };
    const idsByEmail = await readSortedIds('email');
    expect(idsByEmail).toHaveLength(2);
    expect(await readSortedIds('personal_identification.created_at,email')).toEqual(idsByEmail);
    expect(await readSortedIds('-personal_identification.created_at,email')).toEqual(idsByEmail);
  });
});

describe('the holder of a bank account, for a key of the other mode', () => {
  it('is not found in any form', async () => {
    const [bank] = (await api.client.get('/v2/financial_institutions')).body.data;
    const holderId = bank.relationships.personal_identification.data.id;
    for (const query of [
      '',
      '?include=personal_identification',
      '?sort=personal_identification.created_at',
    ]) {
      const { body } = await api.live.get(`/v2/financial_institutions${query}`);
      expect(idsOf({ body } as Answer)).toEqual([bank.id]);
      expect(JSON.stringify(body)).not.toContain(holderId);
    }
    const filter = `/v2/financial_institutions?filter[personal_identification]=`;
    expect(idsOf(await api.live.get(`${filter}${holderId}`))).toEqual([]);
    expect(idsOf(await api.live.get(`${filter}null`))).toEqual([bank.id]);
    expect(idsOf(await api.client.get(`${filter}${holderId}`))).toEqual([bank.id]);
  });
});

describe('an invitation', () => {
  const invite = (client: Client, email: string) =>
    client.send('POST', '/v2/memberships?include=account', documentOf('memberships', { email }));

  /** Invites an address. Returns all that the merchant can read about it, without ids, times and addresses. */
  async function readInviterView(client: Client, email: string): Promise<string> {
    const answer = await invite(client, email);
    expect(answer.status).toBe(201);
    const { id } = answer.body.data;
    const answers = [answer.body];
    for (const path of [
      `/v2/memberships/${id}?include=account`,
      `/v2/memberships/${id}/relationships/account`,
      `/v2/memberships?filter[account]=null&filter[id]=${id}&sort=account.email`,
      `/v2/memberships?filter[account.email]=${email}`,
      `/v2/memberships?filter[account.account_status]=active,pending&filter[id]=${id}`,
      `/v2/accounts?filter[email]=${email}`,
      `/v2/accounts?filter[memberships]=${id}`,
    ]) {
      answers.push((await client.get(path)).body);
    }
    return JSON.stringify(answers)
      .replaceAll(id, '<id>')
      .replaceAll(email, '<email>')
      .replaceAll(encodeURIComponent(email), '<email>')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replaceAll(/"id":"[0-9a-f-]{36}"/g, '"id":"<uuid>"');
  }

  it('does not reveal whether its person has an account', async () => {
    const client = api.as(await (await api.fixtures.makeMerchant()).makeKey());
    const unknownView = await readInviterView(client, 'nobody@nowhere.example');
    expect(await readInviterView(client, 'support@demo.example')).toBe(unknownView);
    expect(await readInviterView(client, 'OWNER@demo.example')).toBe(unknownView);
  });

  it('shows the account once it is accepted', async () => {
    const client = api.as(await (await api.fixtures.makeMerchant()).makeKey());
    const { id } = (await invite(client, 'support@demo.example')).body.data;
    await api.fixtures.db.query('update memberships set accepted_at = now() where id = $1', [id]);
    const answer = await client.get(`/v2/memberships/${id}?include=account`);
    expect(answer.body.included?.map(({ attributes }) => attributes.email)).toEqual([
      'support@demo.example',
    ]);
  });

  it('does not add the signed-in person to a merchant that invited another one', async () => {
    const email = 'alone@nowhere.example';
    await invite(otherClient, email);
    const [row] = await api.fixtures.db.query('select id from accounts where email = $1', [email]);
    const id = row?.id as string;
    expect(await merchantsOfAccount(api.fixtures.db, id, 10)).toEqual([]);
    await api.fixtures.db.query(
      'update memberships set accepted_at = now() where account_id = $1',
      [id],
    );
    expect(await merchantsOfAccount(api.fixtures.db, id, 10)).toMatchObject([
      { id: otherMerchantId },
    ]);
  });
});
