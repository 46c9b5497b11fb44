import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { MEDIA_TYPE, NOBODY, type ResourceObject } from '../support/client.ts';
import { makeCustomer, makeDemand } from '../support/make.ts';
import { errorsOf } from '../support/resource-suite.ts';

const api = useApi();
let demand: ResourceObject;
beforeAll(async () => {
  demand = await makeDemand(api.client, {}, { payer: await makeCustomer(api.client) });
});

describe('a fetch', () => {
  it('114. of a record is 200, whatever the case of its id', async () => {
    const { status, body } = await api.client.get(`/v2/payment_demands/${demand.id.toUpperCase()}`);
    expect([status, body.data]).toEqual([200, demand]);
  });

  it.each([
    ['115. of an id that nothing has', `/v2/customers/${NOBODY}`],
    ['115. of an id that is no UUID', '/v2/customers/1'],
    ['115. of the id of a record of another type', undefined],
    [
      '116. of a relationship of a record that does not exist',
      `/v2/customers/${NOBODY}/relationships/merchant`,
    ],
    [
      '116. of related records of a record that does not exist',
      `/v2/customers/${NOBODY}/relationships/addresses`,
    ],
    ['116. of a relationship that does not exist', `/v2/customers/${NOBODY}/relationships/cats`],
    ['119. of a type that does not exist', '/v2/cats'],
    ['119. of nothing under the version', '/v2'],
    ['119. of a longer path', `/v2/customers/${NOBODY}/relationships/merchant/name`],
    ['119. of the path of a relationship without its prefix', `/v2/customers/${NOBODY}/merchant`],
  ])('%s is 404, in an error document', async (_what, path) => {
    const answer = await api.client.get(path ?? `/v2/customers/${demand.id}`);
    expect([answer.status, errorsOf(answer)]).toEqual([404, [['not_found', undefined]]]);
    expect(answer.headers.get('content-type')).toBe(MEDIA_TYPE);
  });

  it('116. of a to-one that is not set is 200 with null', async () => {
    const { status, body } = await api.client.get(
      `/v2/payment_demands/${demand.id}/relationships/receiver`,
    );
    expect([status, body.data]).toEqual([200, null]);
  });

  it('116. of a to-one is the whole record', async () => {
    const path = `/v2/payment_demands/${demand.id}/relationships/payer`;
    const { body } = await api.client.get(path);
    expect(body.data).toEqual(await api.client.fetch('customers', body.data.id));
    expect(body.links.self).toMatch(new RegExp(`${path}$`));
  });

  it('118. by HEAD has the headers and no body', async () => {
    const [head, get] = [
      await api.client.send('HEAD', '/v2/customers'),
      await api.client.get('/v2/customers'),
    ];
    expect([head.status, head.body]).toEqual([200, undefined]);
    for (const name of ['content-type', 'content-length', 'vary']) {
      expect(head.headers.get(name), name).toBe(get.headers.get(name));
    }
  });

  it.each([
    ['/v2/customers', 'GET, POST, HEAD, OPTIONS'],
    [`/v2/customers/${NOBODY}`, 'GET, PATCH, PUT, HEAD, OPTIONS'],
    ['/v2/events', 'GET, HEAD, OPTIONS'],
    [`/v2/payment_demands/${NOBODY}/confirm`, 'PATCH, PUT, OPTIONS'],
  ])('118. of the options of %s names its methods', async (path, allow) => {
    const answer = await api.client.send('OPTIONS', path);
    expect([answer.status, answer.headers.get('allow')]).toEqual([204, allow]);
  });

  it.each([
    ['DELETE', '/v2/customers'],
    ['POST', `/v2/customers/${NOBODY}`],
    ['DELETE', `/v2/customers/${NOBODY}`],
    ['PATCH', '/v2/events'],
    ['GET', `/v2/payment_demands/${NOBODY}/confirm`],
    ['PATCH', `/v2/customers/${NOBODY}/relationships/merchant`],
  ])('118. %s %s is 405, and says what there is', async (method, path) => {
    const answer = await api.client.send(method, path);
    expect([answer.status, errorsOf(answer)]).toEqual([405, [['method_not_allowed', undefined]]]);
    expect(answer.headers.get('allow')).toMatch(/OPTIONS$/);
  });

  it('of usage metering, which is not of this interface, is 403', async () => {
    const answer = await api.client.get('/v1/meters');
    expect([answer.status, errorsOf(answer)]).toEqual([403, [['forbidden', undefined]]]);
  });

  it('carries an id of the request', async () => {
    const given = await api.client.get('/v2/customers', { 'x-request-id': 'trace-7' });
    expect(given.headers.get('x-request-id')).toBeTruthy();
  });
});
