import type { GettingStarted } from '@florin/contract/getting-started.ts';
import { permissionSlug } from '@florin/contract/permissions.ts';
import { type ResourceType, resources } from '@florin/contract/resources/index.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { documentOf } from '../support/client.ts';
import { waitForLinkToken } from '../support/mailbox.ts';
import { makeCapturedPayment, makeDemand } from '../support/make.ts';
import { invite, type Opener, peopleOf, post } from '../support/people.ts';

/** A picture of one pixel, as base64. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const api = useApi();
const { makeNewcomer, makeOpener, openAnonymous } = peopleOf(api);
let owner: Opener;

beforeAll(async () => {
  owner = await makeOpener();
});

const slugOf = (type: ResourceType, access: 'read' | 'create') =>
  permissionSlug(resources[type], access);

async function readSteps(
  { browser, id }: Pick<Opener, 'browser' | 'id'>,
  mode = 'sandbox',
): Promise<Record<string, boolean>> {
  const headers = { 'florin-merchant': id, 'florin-mode': mode };
  const { status, body } = await browser.get('/dashboard/api/getting_started', headers);
  expect(status).toBe(200);
  return Object.fromEntries((body as GettingStarted).steps.map(({ step, done }) => [step, done]));
}

const NOTHING_DONE = {
  payment: false,
  key: false,
  webhook: false,
  brand: false,
  team: false,
  application: false,
  processor: false,
};

describe('the first steps of a merchant', () => {
  it('are all open for a new merchant', async () => {
    expect(await readSteps(owner)).toEqual(NOTHING_DONE);
  });

  it('are done by what the merchant has, each mode by its own records', async () => {
    const sandbox = { 'florin-merchant': owner.id, 'florin-mode': 'sandbox' };
    const create = async (type: ResourceType, attributes: object) => {
      const document = documentOf(type, attributes);
      const { status } = await owner.browser.send('POST', `/v2/${type}`, document, sandbox);
      expect(status).toBe(201);
    };
    await create('merchant_tokens', { name: 'Server', context: 'secret' });
    await create('webhook_subscriptions', {
      url: 'https://shop.example.com/hooks',
      events: ['*'],
    });
    await invite(owner, 'colleague-of-start@example.com');
    const steps = { ...NOTHING_DONE, team: true };
    expect(await readSteps(owner)).toEqual({ ...steps, key: true, webhook: true });
    expect(await readSteps(owner, 'live')).toEqual(steps);
  });

  it('are shown to members who may take them', async () => {
    const { browser, email } = await makeNewcomer();
    const slugs = [slugOf('merchants', 'read'), slugOf('webhook_subscriptions', 'create')];
    await invite(owner, email, slugs);
    const token = await waitForLinkToken(browser, email, 'invitation');
    await post(browser, 'links/use', { token });
    expect(Object.keys(await readSteps({ browser, id: owner.id }))).toEqual(['webhook']);
  });

  it('count a payment only after the issuer has approved it', async () => {
    const { id } = await api.fixtures.getDemoMerchant();
    const browser = openAnonymous();
    await post(browser, 'session', api.stack.credentials.account);
    await makeDemand(api.client);
    expect(await readSteps({ browser, id })).toMatchObject({ payment: false });
    await makeCapturedPayment(api.client);
    expect(await readSteps({ browser, id })).toMatchObject({ payment: true });
  });

  it('count a brand that has a name, a colour and a logo', async () => {
    const { browser, headers, id } = owner;
    const set = async (attributes: object) => {
      const document = { data: { type: 'merchants', id, attributes } };
      const path = `/v2/merchants/${id}`;
      expect((await browser.send('PATCH', path, document, headers)).status).toBe(200);
      return readSteps(owner);
    };
    const setLogo = async (method: 'PUT' | 'DELETE', body?: object) => {
      const { status } = await browser.send(method, '/dashboard/api/logo', body, headers);
      expect(status).toBeLessThan(300);
      return readSteps(owner);
    };
    expect(await setLogo('PUT', { content: PIXEL })).toMatchObject({ brand: false });
    expect(await set({ brand_name: 'Engines' })).toMatchObject({ brand: false });
    expect(await set({ brand_color: '#7c3aed' })).toMatchObject({ brand: true });
    expect(await setLogo('DELETE')).toMatchObject({ brand: false });
    const logo_url = 'https://shop.example/logo.png';
    expect(await set({ logo_url })).toMatchObject({ brand: true });
  });

  it('name the processor account that an approved merchant lacks', async () => {
    const { id } = owner;
    const at = '2027-01-01T00:00:00Z';
    const approve = 'update merchants set submitted_at = $2, active_at = $2 where id = $1';
    await api.fixtures.db.query(approve, [id, at]);
    const steps = await readSteps(owner, 'live');
    expect(steps).toMatchObject({ application: true, processor: false });
  });
});
