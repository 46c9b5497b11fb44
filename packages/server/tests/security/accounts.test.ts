import { withClient } from '@florin/cli/database/client.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { AUDIT_DAYS } from '../../src/features/audit-log/verify.ts';
import { LINK_SECONDS } from '../../src/features/people/accounts/links.ts';
import {
  ACCESS_DAYS,
  pruneAccounts,
  pruneSignIns,
} from '../../src/features/people/accounts/prune.ts';
import { seconds } from '../../src/platform/time/clock.ts';
import { useOwnStack } from '../support/api.ts';
import { type Browser, openBrowser, signIn } from '../support/browser.ts';
import { documentOf } from '../support/client.ts';
import { createClockAhead } from '../support/clock-ahead.ts';
import { waitForEmails, waitForLinkToken } from '../support/mailbox.ts';
import { codesOf, fetchMe, newEmailAddress, PASSWORD, peopleOf, post } from '../support/people.ts';
import { rawRequest } from '../support/raw-request.ts';

const clock = createClockAhead();
const api = useOwnStack({ config: { clock } });
const { makeNewcomer } = peopleOf(api);
let visitor: Browser;
beforeAll(() => {
  visitor = openBrowser(api.stack.baseUrl);
});

describe('registering', () => {
  it("creates an account once the person opens the email's link", async () => {
    const { browser, email } = await makeNewcomer();
    expect((await fetchMe(browser)).account).toMatchObject({
      email,
      email_verified: true,
      operator: false,
    });
    const response = await post(browser, 'merchants', { business_name: 'Engines' });
    expect(response.status).toBe(201);
    const { merchants } = await fetchMe(browser);
    expect(merchants).toMatchObject([
      {
        id: response.body.id,
        opener: true,
        standing: { sandbox: 'active', live: 'unapproved' },
        submitted: false,
      },
    ]);
    const headers = { 'florin-merchant': response.body.id, 'florin-mode': 'sandbox' };
    expect((await browser.get('/v2/processor_details', headers)).body.data).toHaveLength(1);
  });

  it('gets the same response for an address with an account, which gets an email', async () => {
    const { email } = await api.stack.credentials.account;
    const [knownResponse, unknownResponse] = await Promise.all(
      [email, newEmailAddress()].map((address) =>
        post(visitor, 'registrations', { email: address }),
      ),
    );
    expect([knownResponse?.status, knownResponse?.body]).toEqual([
      unknownResponse?.status,
      unknownResponse?.body,
    ]);
    const [storedEmail] = await waitForEmails(visitor, email, 'registration');
    expect(storedEmail?.subject).toBe('Your Florin account');
    expect(storedEmail?.text).not.toContain('link#');
  });

  it('uses the requested language in its email', async () => {
    const email = newEmailAddress();
    await post(visitor, 'registrations', { email, locale: 'de' });
    const [storedEmail] = await waitForEmails(visitor, email, 'registration');
    expect(storedEmail?.subject).toBe('Ihr Florin-Konto');
  });

  it.each([
    ['short', 'too_short'],
    ['password1234', 'password_too_common'],
  ])('refuses a password like %s, and the link stays valid', async (password, code) => {
    const email = newEmailAddress();
    await post(visitor, 'registrations', { email });
    const token = await waitForLinkToken(visitor, email, 'registration');
    const refusal = await post(visitor, 'links/use', { token, name: 'Ada', password });
    expect(codesOf(refusal)).toEqual([[code, { pointer: '/password' }]]);
    expect((await post(visitor, 'links/look', { token })).body).toMatchObject({
      email,
      is_new: true,
    });
  });
});

describe('a link of an email', () => {
  it('works once', async () => {
    const email = newEmailAddress();
    await post(visitor, 'registrations', { email });
    const token = await waitForLinkToken(visitor, email, 'registration');
    const responses = await Promise.all(
      ['one', 'two'].map((name) =>
        post(openBrowser(api.stack.baseUrl), 'links/use', { token, name, password: PASSWORD }),
      ),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(codesOf(await post(visitor, 'links/look', { token }))).toEqual([
      ['link_unusable', undefined],
    ]);
  });

  it('works until its expiry, and until a newer one is sent', async () => {
    const email = newEmailAddress();
    await post(visitor, 'registrations', { email });
    const firstToken = await waitForLinkToken(visitor, email, 'registration');
    await post(visitor, 'registrations', { email });
    const secondToken = await waitForLinkToken(visitor, email, 'registration', 2);
    expect((await post(visitor, 'links/look', { token: firstToken })).status).toBe(422);
    expect((await post(visitor, 'links/look', { token: secondToken })).status).toBe(200);
    clock.advance(LINK_SECONDS.verify_email);
    expect((await post(visitor, 'links/look', { token: secondToken })).status).toBe(422);
  });

  it('is stored as its hash only', async () => {
    const email = newEmailAddress();
    await post(visitor, 'registrations', { email });
    const token = await waitForLinkToken(visitor, email, 'registration');
    const rows = await api.fixtures.global.query(
      'select l::text as text from account_links l union all select l::text from account_letters l',
      [],
    );
    expect(rows.some(({ text }) => text?.includes(token))).toBe(false);
  });

  it('is not shown to a page of another host', async () => {
    const { status } = await rawRequest(api.stack.baseUrl, {
      path: '/dashboard/api/mailbox',
      headers: { host: 'elsewhere.example', 'user-agent': 'tests' },
    });
    expect(status).toBe(404);
  });

  it('is not shown to requests over a proxy, whatever host they name', async () => {
    for (const header of ['x-forwarded-for', 'x-forwarded-proto', 'forwarded']) {
      const { status } = await visitor.get('/dashboard/api/mailbox', { [header]: 'for=192.0.2.1' });
      expect([header, status]).toEqual([header, 404]);
    }
  });
});

describe('resetting a password', () => {
  it('ends all sessions, notifies the person, and signs no one in', async () => {
    const { browser, email } = await makeNewcomer();
    await post(visitor, 'password_resets', { email });
    const token = await waitForLinkToken(visitor, email, 'reset_password');
    const password = 'another mill and store';
    const response = await post(visitor, 'links/use', { token, password });
    expect([response.status, response.body.signed_in]).toEqual([200, false]);
    expect((await browser.get('/dashboard/api/me')).status).toBe(401);
    await waitForEmails(visitor, email, 'password_changed');
    await expect(signIn(api.stack.baseUrl, { email, password: PASSWORD })).rejects.toThrow();
    await signIn(api.stack.baseUrl, { email, password });
  });

  it('answers the same for an address without an account, which gets no email', async () => {
    const unknownAddress = newEmailAddress();
    const { email } = await makeNewcomer();
    const [knownResponse, unknownResponse] = await Promise.all(
      [email, unknownAddress].map((address) =>
        post(visitor, 'password_resets', { email: address }),
      ),
    );
    expect([knownResponse?.status, knownResponse?.body]).toEqual([
      unknownResponse?.status,
      unknownResponse?.body,
    ]);
    await waitForEmails(visitor, email, 'reset_password');
    const { body } = await visitor.get('/dashboard/api/mailbox');
    expect(JSON.stringify(body)).not.toContain(unknownAddress);
  });
});

describe('changing the address', () => {
  it('accepts the new one once its link was opened, and notifies the old one', async () => {
    const { browser, email } = await makeNewcomer();
    const newAddress = newEmailAddress();
    expect((await post(browser, 'account/email', { email: newAddress })).status).toBe(202);
    expect((await fetchMe(browser)).account.email).toBe(email);
    const token = await waitForLinkToken(visitor, newAddress, 'change_email');
    // The link works only in a session of its own account.
    const otherPerson = await makeNewcomer();
    for (const otherBrowser of [visitor, otherPerson.browser]) {
      expect((await post(otherBrowser, 'links/use', { token })).status).toBe(401);
    }
    expect((await fetchMe(browser)).account.email).toBe(email);
    expect((await post(browser, 'links/use', { token })).status).toBe(200);
    expect((await fetchMe(browser)).account.email).toBe(newAddress);
    await waitForEmails(visitor, email, 'email_changed');
  });

  it('to the address of another account fails, without revealing that account', async () => {
    const [{ browser, email }, otherPerson] = [await makeNewcomer(), await makeNewcomer()];
    expect((await post(browser, 'account/email', { email: otherPerson.email })).status).toBe(202);
    const token = await waitForLinkToken(visitor, otherPerson.email, 'change_email');
    expect(codesOf(await post(browser, 'links/use', { token }))).toEqual([
      ['link_unusable', undefined],
    ]);
    expect((await fetchMe(browser)).account.email).toBe(email);
  });
});

describe('changing the password', () => {
  it('needs the old one, and ends the other sessions', async () => {
    const { browser, email } = await makeNewcomer();
    const otherBrowser = await signIn(api.stack.baseUrl, { email, password: PASSWORD });
    const password = 'yet another mill';
    const changePassword = (old_password: string) =>
      post(browser, 'account/password', { old_password, password });
    expect(codesOf(await changePassword('not the old one'))).toEqual([
      ['wrong_credentials', { pointer: '/old_password' }],
    ]);
    const address = newEmailAddress();
    await post(browser, 'account/email', { email: address });
    const token = await waitForLinkToken(visitor, address, 'change_email');
    expect((await changePassword(PASSWORD)).status).toBe(204);
    // The password change revokes the link that this session requested.
    expect((await post(browser, 'links/use', { token })).status).toBe(422);
    expect((await browser.get('/dashboard/api/me')).status).toBe(200);
    expect((await otherBrowser.get('/dashboard/api/me')).status).toBe(401);
  });
});

describe('the sessions of an account', () => {
  it('are ended by their account only', async () => {
    const [{ browser, email }, otherPerson] = [await makeNewcomer(), await makeNewcomer()];
    const otherBrowser = await signIn(api.stack.baseUrl, { email, password: PASSWORD });
    const listSessions = async () => (await browser.get('/dashboard/api/sessions')).body.data;
    const otherSessionId = (await listSessions()).find(
      ({ current }: { current: boolean }) => !current,
    ).id;
    await otherPerson.browser.send('DELETE', `/dashboard/api/sessions/${otherSessionId}`);
    expect((await otherBrowser.get('/dashboard/api/me')).status).toBe(200);
    await browser.send('DELETE', `/dashboard/api/sessions/${otherSessionId}`);
    expect((await otherBrowser.get('/dashboard/api/me')).status).toBe(401);
    expect(await listSessions()).toHaveLength(1);
  });
});

const keyHeaders = { 'idempotency-key': 'one form' };
const KEY_HEADER = { header: 'Idempotency-Key' };

describe('creating a business', () => {
  it('has one effect per key, for repeated and concurrent requests', async () => {
    const { browser } = await makeNewcomer();
    const openMerchant = (business_name: string, headers = {}) =>
      post(browser, 'merchants', { business_name }, headers);
    const [firstResponse, secondResponse] = await Promise.all([
      openMerchant('Engines', keyHeaders),
      openMerchant('Engines', keyHeaders),
    ]);
    expect([firstResponse.status, secondResponse.status, secondResponse.body]).toEqual([
      201,
      201,
      firstResponse.body,
    ]);
    const replayMarks = [firstResponse, secondResponse].map(({ headers }) =>
      headers.get('idempotent-replayed'),
    );
    expect(replayMarks.filter((mark) => mark === 'true')).toHaveLength(1);
    expect((await fetchMe(browser)).merchants).toHaveLength(1);
    const conflictResponse = await openMerchant('Looms', keyHeaders);
    expect([conflictResponse.status, codesOf(conflictResponse)]).toEqual([
      409,
      [['idempotency_conflict', KEY_HEADER]],
    ]);
    const longKeyResponse = await openMerchant('Looms', { 'idempotency-key': 'k'.repeat(256) });
    expect(codesOf(longKeyResponse)).toEqual([['invalid_value', KEY_HEADER]]);
    expect((await openMerchant('Engines')).status).toBe(201);
    expect((await fetchMe(browser)).merchants).toHaveLength(2);
  });
});

describe('the data of a new business', () => {
  it('is submitted once it is complete, and cannot change afterwards', async () => {
    const { browser } = await makeNewcomer();
    const { id } = (await post(browser, 'merchants', { business_name: 'Engines' })).body;
    const headers = { 'florin-merchant': id, 'florin-mode': 'live' };
    const submit = () => post(browser, 'application/submit', undefined, headers);
    const incompleteResponse = await submit();
    expect(incompleteResponse.status).toBe(422);
    expect(incompleteResponse.body.errors.length).toBeGreaterThan(5);
    const patchApplication = (body: object) =>
      browser.send('PATCH', '/dashboard/api/application', body, headers);
    const facts = {
      category_code: '5734',
      entity_type: 'llc',
      prior_bankruptcies: false,
      tax_id_type: 'ein',
    };
    expect((await patchApplication(facts)).body).toMatchObject(facts);
    const change = documentOf(
      'merchants',
      {
        business_description: 'Analytical engines',
        business_website: 'https://engines.example',
        phone_number: '+12125550142',
        business_zip_code: '10001',
      },
      {},
      id,
    );
    expect((await browser.send('PATCH', `/v2/merchants/${id}`, change, headers)).status).toBe(200);
    const make = async (type: string, attributes: object, relations = {}) => {
      const body = documentOf(type, attributes, relations);
      const answer = await browser.send('POST', `/v2/${type}`, body, headers);
      expect(answer.status).toBe(201);
      return answer.body.data;
    };
    const address = { line_1: '1 Main Street', city: 'New York', state: 'NY', zip: '10001' };
    const legal_address = await make('legal_addresses', { ...address, country: 'USA' });
    const person = { full_name: 'Ada Lovelace' };
    const personal_identification = await make('personal_identifications', person, {
      legal_address,
    });
    await make('corporate_officials', { role: 'Director' }, { personal_identification });
    await make('beneficial_owners', { ownership_percentage: 100 }, { personal_identification });
    const bankAccount = {
      name: 'First Bank',
      holder_name: 'Engines LLC',
      account_number: '4012888888881881',
      routing_number: '021000021',
    };
    const submitBank = (changes = {}) =>
      post(
        browser,
        'financial_institutions',
        { ...bankAccount, ...changes },
        { ...headers, ...keyHeaders },
      );
    const bankResponse = await submitBank();
    expect([bankResponse.status, bankResponse.body.account_last_four]).toEqual([201, '1881']);
    const repeatedResponse = await submitBank();
    expect([repeatedResponse.status, repeatedResponse.body]).toEqual([201, bankResponse.body]);
    expect(repeatedResponse.headers.get('idempotent-replayed')).toBe('true');
    const conflictResponse = await submitBank({ account_number: '4012888888881882' });
    expect(codesOf(conflictResponse)).toEqual([['idempotency_conflict', KEY_HEADER]]);
    const [row] = await api.fixtures.db.query(
      'select account_number from financial_institutions where merchant_id = $1',
      [id],
    );
    expect(row?.account_number).not.toContain('1881');
    expect((await submit()).body).toMatchObject({ missing: [], submitted: true });
    expect((await patchApplication({ entity_type: 'non_profit' })).status).toBe(405);
    expect((await submit()).status).toBe(405);
  });
});

/** Runs last: it deletes the rows of the tests above. */
describe('data past its retention', () => {
  const countRows = async (table: string) => {
    const { db, global } = api.fixtures;
    const owner = table === 'audit_entries' ? db : global;
    return Number((await owner.query(`select count(*) as count from ${table}`, []))[0]?.count);
  };
  /** Moves the entries back by a year and a day, as nobody but an owner can. */
  const ageAuditEntries = () =>
    withClient(api.stack.adminDatabaseUrl, async (client) => {
      await client.query('set session_replication_role = replica');
      await client.query(`update audit_entries set created_at = created_at - interval '366 days'`);
    });
  const pruneAfter = async (days: number) => {
    const { db, global } = api.fixtures;
    const now = clock.now() + seconds(days * 24 * 60 * 60);
    for (const each of new Set([db, global])) await pruneAccounts(each, now, 1_000);
    await pruneSignIns(global, now, 1_000);
  };

  it('is pruned: sign-in data after a month, audit entries after 400 days', async () => {
    await pruneAfter(ACCESS_DAYS / 2);
    expect(await countRows('account_letters')).toBeGreaterThan(0);
    await pruneAfter(ACCESS_DAYS + 8);
    for (const table of [
      'account_letters',
      'account_links',
      'account_requests',
      'sessions',
      'passkey_challenges',
      'access_tries',
    ]) {
      expect([table, await countRows(table)]).toEqual([table, 0]);
    }
    expect(await countRows('audit_entries')).toBeGreaterThan(0);
    await pruneAfter(AUDIT_DAYS + 1);
    expect(await countRows('audit_entries'), 'by the clock of the database').toBeGreaterThan(0);
    await ageAuditEntries();
    await pruneAfter(AUDIT_DAYS + 1);
    expect(await countRows('audit_entries')).toBe(0);
  });
});
