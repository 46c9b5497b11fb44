import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import {
  DISPUTE_FILE_BYTES_MAX,
  FILES_PER_DISPUTE_MAX,
} from '@florin/contract/resources/dispute-files.ts';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { type Answer, type ResourceObject, UNKNOWN_ID } from '../support/client.ts';
import {
  jpegBytes,
  makeDisputeFile,
  pdfBytes,
  pngBytes,
  uploadTo,
} from '../support/evidence-files.ts';
import { eventually, makeDispute } from '../support/make.ts';
import { describeReads, describeRefusedMethods, errorsOf } from '../support/resource-suite.ts';
import { recordOperation } from '../support/seen.ts';

const api = useApi();
const type = 'dispute_files';

const remove = ({ id }: ResourceObject): Promise<Answer> =>
  api.client.send('PATCH', `/v2/${type}/${id}/remove`);

async function download(
  { id }: ResourceObject,
  key = api.stack.credentials.sandbox.secret_key,
): Promise<Response> {
  const path = `/v2/${type}/${id}/content`;
  const headers = { authorization: `Bearer ${key}`, 'user-agent': 'florin-tests/1' };
  const response = await fetch(api.stack.baseUrl + path, { headers });
  recordOperation('GET', path, response.status);
  return response;
}

const bytesOf = async (response: Response): Promise<Buffer> =>
  Buffer.from(await response.arrayBuffer());

/** Number of stored contents of a file, and whether one has a text of its plain bytes. */
async function readStored({ id }: ResourceObject, plain: string): Promise<[number, boolean]> {
  const rows = await api.fixtures.db.query(
    `select position($2::bytea in content) > 0 as is_plain from dispute_file_contents where id = $1`,
    [id, Buffer.from(plain)],
  );
  return [rows.length, rows[0]?.is_plain === 't'];
}

describe('a dispute file', () => {
  describeReads(api, type, () => makeDisputeFile(api.client));
  describeRefusedMethods(api, type);

  it.each([
    ['application/pdf', pdfBytes(), 'receipt.pdf'],
    ['image/png', pngBytes(), 'receipt.pdf.png'],
    ['image/jpeg', jpegBytes(), 'receipt.pdf.jpg'],
  ])(
    'of type %s is stored encrypted and comes back as an attachment',
    async (content_type, bytes, file_name) => {
      const { status, headers, body } = await uploadTo(
        api.client,
        await makeDispute(api.client),
        bytes,
      );
      expect(status).toBe(201);
      expect(headers.get('location')).toContain(`/v2/${type}/${body.data.id}`);
      expect(body.data.attributes).toMatchObject({
        file_name,
        content_type,
        purpose: 'receipt',
        size_bytes: bytes.length,
        sha256_hash: createHash('sha256').update(bytes).digest('hex'),
        removed_at: null,
      });
      expect(await readStored(body.data, bytes.toString('latin1').slice(0, 4))).toEqual([1, false]);
      const response = await download(body.data);
      expect(await bytesOf(response)).toEqual(bytes);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': content_type,
        'content-disposition': expect.stringMatching(`^attachment; filename="${file_name}"`),
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': 'no-store',
      });
    },
  );

  it('is visible to its merchant and mode only', async () => {
    const dispute = await makeDispute(api.client);
    const file = (await uploadTo(api.client, dispute)).body.data;
    const otherKey = await (await api.fixtures.makeMerchant()).makeKey();
    const others = [otherKey, api.stack.credentials.live.secret_key];
    for (const key of others) {
      expect((await download(file, key)).status).toBe(404);
      expect((await api.as(key).get(`/v2/${type}/${file.id}`)).status).toBe(404);
      expect((await uploadTo(api.as(key), dispute)).status).toBe(404);
    }
    expect((await download(file, 'ept_sandbox_sunknown')).status).toBe(401);
    expect((await download({ ...file, id: UNKNOWN_ID })).status).toBe(404);
  });

  it('needs permissions of its own', async () => {
    const file = await makeDisputeFile(api.client);
    const merchant = await api.fixtures.getDemoMerchant();
    const key = await merchant.makeKey({ permissions: ['transaction.disputes.update'] });
    expect((await download(file, key)).status).toBe(403);
    expect((await uploadTo(api.as(key), { id: UNKNOWN_ID })).status).toBe(403);
  });

  it('whose bytes look like a card number is stored, and its request is not logged', async () => {
    const bytes = pdfBytes('/Title (4242 4242 4242 4242)');
    const { status, headers } = await uploadTo(api.client, await makeDispute(api.client), bytes);
    expect(status).toBe(201);
    const filter = `filter[request_id]=${headers.get('x-request-id')}`;
    const [logged] = (await api.client.get(`/v2/api_requests?${filter}`)).body.data;
    expect(JSON.stringify(logged ?? {})).not.toContain('4242');
  });

  it('can be removed until the evidence is submitted', async () => {
    const dispute = await makeDispute(api.client);
    const file = (await uploadTo(api.client, dispute)).body.data;
    const kept = (await uploadTo(api.client, dispute)).body.data;
    const removed = await remove(file);
    expect(removed.status).toBe(200);
    expect((await remove(file)).body.data.attributes).toEqual(removed.body.data.attributes);
    expect(await readStored(file, '%PDF')).toEqual([0, false]);
    expect((await download(file)).status).toBe(404);
    expect((await api.client.send('PATCH', `/v2/disputes/${dispute.id}/submit`)).status).toBe(200);
    expect(errorsOf(await remove(kept))).toEqual([['invalid_state', undefined]]);
    expect(errorsOf(await uploadTo(api.client, dispute))).toEqual([['invalid_state', undefined]]);
    expect((await download(kept)).status).toBe(200);
  });

  it('alone is evidence enough, until it is removed', async () => {
    const dispute = await makeDispute(api.client);
    const submit = () => api.client.send('PATCH', `/v2/disputes/${dispute.id}/submit`);
    await remove((await uploadTo(api.client, dispute)).body.data);
    expect(errorsOf(await submit())).toEqual([['blank', '/data/attributes/uncategorized_text']]);
    await uploadTo(api.client, dispute);
    expect((await submit()).status).toBe(200);
  });

  it('is stored once for each idempotency key', async () => {
    const dispute = await makeDispute(api.client);
    const headers = { 'idempotency-key': 'receipt-17' };
    const answers = await Promise.all([
      uploadTo(api.client, dispute, pdfBytes(), { headers }),
      uploadTo(api.client, dispute, pdfBytes(), { headers }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    const { body } = await api.client.get(`/v2/${type}?filter[dispute]=${dispute.id}`);
    expect(body.data.length).toBe(1);
    expect(errorsOf(await uploadTo(api.client, dispute, pngBytes(), { headers }))).toEqual([
      ['idempotency_conflict', 'Idempotency-Key'],
    ]);
  });

  it(`is one of at most ${FILES_PER_DISPUTE_MAX} of a dispute, even if all come at once`, async () => {
    const dispute = await makeDispute(api.client);
    const answers: Answer[] = [];
    while (answers.length < FILES_PER_DISPUTE_MAX + 2)
      answers.push(...(await Promise.all([1, 2, 3, 4].map(() => uploadTo(api.client, dispute)))));
    expect(answers.filter(({ status }) => status === 201).length).toBe(FILES_PER_DISPUTE_MAX);
    expect(answers.filter(({ status }) => status === 422).map(errorsOf)).toEqual([
      [['limit_reached', undefined]],
      [['limit_reached', undefined]],
    ]);
  });
});

it('uploads without a key leave the places to others', async () => {
  const url = `${api.stack.baseUrl}/v2/disputes/${UNKNOWN_ID}/files`;
  const headers = { 'content-length': '100', 'user-agent': 'florin-tests/1' };
  const requests = Array.from({ length: 20 }, () => request(url, { method: 'POST', headers }));
  const statuses = await Promise.all(
    requests.map(async (each) => {
      each.on('error', () => {}).write('%');
      const [response] = await once(each, 'response');
      return response.statusCode;
    }),
  );
  expect(new Set(statuses)).toEqual(new Set([401]));
  const dispute = await makeDispute(api.client);
  expect((await uploadTo(api.client, dispute)).status).toBe(201);
  for (const each of requests) each.destroy();
});

it('slow uploads of one merchant leave places to others, and get 503 beyond their share', async () => {
  const path = `/v2/disputes/${UNKNOWN_ID}/files`;
  const authorization = `Bearer ${api.stack.credentials.sandbox.secret_key}`;
  const headers = { authorization, 'content-length': '100', 'user-agent': 'florin-tests/1' };
  const requests = Array.from({ length: 20 }, () =>
    request(api.stack.baseUrl + path, { method: 'POST', headers }),
  );
  const refused: (string | undefined)[] = [];
  for (const each of requests) {
    each.on('error', () => {}).write('%');
    each.on('response', ({ statusCode = 0, headers: { 'retry-after': after } }) => {
      recordOperation('POST', path, statusCode);
      refused.push(`${statusCode} ${after}`);
    });
  }
  await eventually(
    async () => refused,
    ({ length }) => length === 16,
  );
  expect(new Set(refused)).toEqual(new Set(['503 1']));
  const { body } = await uploadTo(api.client, { id: UNKNOWN_ID });
  expect(body.errors?.[0]?.meta).toEqual({ limit: 'files_per_owner', max: 4 });
  const other = await (await api.fixtures.makeMerchant()).makeKey();
  expect((await uploadTo(api.as(other), { id: UNKNOWN_ID })).status).toBe(404);
  for (const each of requests) each.destroy();
  await eventually(
    () => uploadTo(api.client, { id: UNKNOWN_ID }),
    ({ status }) => status === 404,
  );
});

describe('an upload is refused', () => {
  const named = 'file_name=receipt.pdf&purpose=receipt';
  it.each([
    ['without a purpose', 'file_name=a.pdf', pdfBytes(), 422, ['blank', 'purpose']],
    [
      'with an unknown purpose',
      'file_name=a&purpose=x',
      pdfBytes(),
      422,
      ['not_in_list', 'purpose'],
    ],
    ['without a name', 'purpose=receipt', pdfBytes(), 422, ['blank', 'file_name']],
    [
      'with a long name',
      `purpose=receipt&file_name=${'a'.repeat(501)}`,
      pdfBytes(),
      422,
      ['too_long', 'file_name'],
    ],
    [
      'with an unknown parameter',
      `${named}&mode=live`,
      pdfBytes(),
      400,
      ['unknown_parameter', 'mode'],
    ],
    ['without a file', named, Buffer.alloc(0), 400, ['invalid_document', undefined]],
    ['with a web page', named, Buffer.from('<html></html>'), 422, ['invalid', undefined]],
    [
      'with a file that is too large',
      named,
      Buffer.alloc(DISPUTE_FILE_BYTES_MAX + 1),
      413,
      ['body_too_large', undefined],
    ],
  ])('%s', async (_, query, bytes, status, error) => {
    const answer = await uploadTo(api.client, { id: UNKNOWN_ID }, bytes, { query });
    expect([answer.status, errorsOf(answer)]).toEqual([status, [error]]);
  });

  it('by a client that accepts no documents, or has no key', async () => {
    const send = (headers: Record<string, string | null>) =>
      uploadTo(api.client, { id: UNKNOWN_ID }, pdfBytes(), {
        headers: headers as Record<string, string>,
      });
    expect((await send({ accept: 'text/html' })).status).toBe(406);
    expect((await send({ authorization: null })).status).toBe(401);
  });
});
