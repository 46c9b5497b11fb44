import { createHash, randomUUID } from 'node:crypto';
import type { CardDescription, Mode, RelayRequest } from '@florin/contract/protocol/vault.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startNetwork } from './support/network.ts';
import { dumpDatabase, startTestVault, type TestVault } from './support/vault.ts';

const NUMBER = '4242424242424242';
const OTHER_NUMBER = '4000056655665556';
const merchant_id = 'merchant-a';

let network: Awaited<ReturnType<typeof startNetwork>>;
let source: TestVault;
let target: TestVault;
/** Digest of the target's audit key. */
let digest: string;

beforeAll(async () => {
  network = await startNetwork();
});
beforeEach(async () => {
  target = await startTestVault([network.origin]);
  digest = (await receive()).digest;
  source = await startTestVault([network.origin], { sends_cards_to: [digest] });
  return async () => {
    await source[Symbol.asyncDispose]();
    await target[Symbol.asyncDispose]();
  };
});
afterAll(() => network[Symbol.asyncDispose]());

async function receive(vault = target): Promise<{ ticket: string; digest: string }> {
  const { ok, sentences, last } = await vault.admin('/cards/receive', { merchant_id });
  expect(ok).toBe(true);
  return {
    ticket: last?.data ?? '',
    digest: /TO=([0-9a-f]{64})/.exec(sentences.join())?.[1] ?? '',
  };
}

interface SentFile {
  readonly import_id: string | undefined;
  readonly pages: string[];
}

async function send(ticket: string, body: object = {}, vault = source): Promise<SentFile> {
  const pages: string[] = [];
  let import_id: string | undefined;
  let position: unknown;
  do {
    const answer = await vault.admin('/cards/send', {
      ticket,
      number: pages.length,
      ...(position !== undefined && { position }),
      ...body,
    });
    if (!answer.ok) throw new Error(answer.sentences.join());
    pages.push(answer.last?.data ?? '');
    position = answer.last?.next;
    import_id = answer.last?.import_id;
  } while (position !== undefined);
  return { import_id, pages };
}

async function importPages({ import_id, pages }: SentFile, vault = target): Promise<boolean> {
  let isLast = false;
  for (const page of pages) {
    const { ok, sentences, last } = await vault.admin('/cards/store', { import_id, page });
    if (!ok) throw new Error(sentences.join());
    isLast = last?.is_last === true;
  }
  return isLast;
}

const transfer = async (body: object = {}) =>
  importPages(await send((await receive()).ticket, body));

async function store(
  pan = NUMBER,
  vault = source,
  mode: Mode = 'sandbox',
): Promise<CardDescription> {
  const card = await vault.ingest({ merchant_id, mode, pan: { content: { pan } } });
  const attached = { merchant_id, mode, card_pan_token: card.card_pan_token };
  expect((await vault.post('/attach', attached)).status).toBe(200);
  return card;
}

const requestOf = ({ card_pan_token }: CardDescription): RelayRequest => ({
  id: randomUUID(),
  merchant_id,
  mode: 'sandbox',
  card_pan_token,
  consumes_cvv: false,
  method: 'POST',
  url: `${network.origin}/approve`,
  headers: {},
  body: { number: null },
  card_fields: { '/number': 'pan' },
  timeout_ms: 5_000,
  not_after: Number.MAX_SAFE_INTEGER,
});

/** The number that the network gets for a card, or why it gets none. */
async function charge(vault: TestVault, card: CardDescription): Promise<string> {
  network.received.length = 0;
  const [answer] = await vault.relay(requestOf(card));
  if (answer?.outcome !== 'answered') return String(answer?.why);
  return JSON.parse(network.received[0]!.body).number;
}

describe('the cards of a merchant who moves', () => {
  test('are charged by the other vault, with equal fingerprints and limits', async () => {
    const [card, other] = [await store(), await store(OTHER_NUMBER)];
    await source.admin('/limit', { merchant_id, mode: 'sandbox', new_numbers: 77 });
    expect(await transfer()).toBe(true);
    expect([await charge(target, card), await charge(target, other)]).toEqual([
      NUMBER,
      OTHER_NUMBER,
    ]);
    expect((await target.ingest({ merchant_id })).fingerprint).toBe(card.fingerprint);
    const { sentences } = await target.admin('/limit', { merchant_id, mode: 'sandbox' });
    expect(sentences.join()).toContain('New cards a day: 77');
    for (const [vault, verbs] of [
      [source, ['send_cards']],
      [target, ['receive_cards', 'import_cards']],
    ] as const) {
      const rows = await vault.database.query('select distinct verb from vault.audit');
      expect(rows.map(({ verb }) => verb)).toEqual(expect.arrayContaining([...verbs]));
      expect(await vault.admin('/audit/verify')).toMatchObject({ ok: true });
    }
  });

  test('are readable nowhere between the vaults, and leave no verification value', async () => {
    await store();
    const file = await send((await receive()).ticket);
    const text = file.pages.map((page) => Buffer.from(page.split('.')[2]!, 'base64url')).join();
    for (const secret of [NUMBER, NUMBER.slice(-4), 'card_pan_token', 'fingerprint'])
      expect(text + file.pages.join()).not.toContain(secret);
    await importPages(file);
    expect(await dumpDatabase(target.database)).not.toContain(NUMBER);
    expect(await target.database.query('select 1 from vault.cvvs')).toEqual([]);
  });

  test('arrive later in part: new ones are added, and destroyed ones are destroyed', async () => {
    const [kept, destroyed] = [await store(), await store(OTHER_NUMBER)];
    await transfer();
    const since = new Date(source.clock.now + 1).toISOString();
    source.clock.now += 60_000;
    target.clock.now += 60_000;
    const added = await store('5555555555554444');
    await source.admin('/destroy', {
      merchant_id,
      mode: 'sandbox',
      card_pan_token: destroyed.card_pan_token,
    });
    expect(await transfer({ since })).toBe(true);
    const charged = [];
    for (const card of [kept, destroyed, added]) charged.push(await charge(target, card));
    expect(charged).toEqual([NUMBER, 'unknown_token', '5555555555554444']);
    expect(
      await target.database.query(`select 1 from vault.audit where verb = 'destroy_card'`),
    ).toHaveLength(1);
  });

  test('are not destroyed by a second transfer from a vault that has destroyed one mode', async () => {
    const card = await store();
    await store(OTHER_NUMBER, source, 'live');
    await transfer();
    await source.admin('/destroy', { merchant_id, mode: 'sandbox' });
    await expect(transfer()).rejects.toThrow('has no sandbox cards of the merchant');
    expect(await charge(target, card)).toBe(NUMBER);
    // An operator who means it destroys them first, and the same import ends.
    const file = await send((await receive()).ticket);
    await target.admin('/destroy', { merchant_id, mode: 'sandbox' });
    expect(await importPages(file)).toBe(true);
    expect(await charge(target, card)).toBe('unknown_token');
  });

  test('leave fingerprints, which travel alone', async () => {
    const { fingerprint, card_pan_token } = await store();
    await source.admin('/destroy', { merchant_id, mode: 'sandbox', card_pan_token });
    expect(await transfer()).toBe(true);
    const listed = await target.admin('/cards/list', {
      merchant_id,
      mode: 'sandbox',
      part: 'fingerprints',
    });
    const digest = createHash('sha256').update(fingerprint).digest('hex');
    expect([listed.sentences.join(), listed.last?.data]).toEqual(['1 fingerprints.', digest]);
    expect((await target.ingest({ merchant_id })).fingerprint).toBe(fingerprint);
  });

  test('are not sent as none while rows of a destroyed key remain', async () => {
    await store();
    await transfer();
    await source.database.query(
      `update vault.keks set wrapped = '', destroyed_at = now(), rewrap_cursor = null where merchant_id = $1`,
      [merchant_id],
    );
    await expect(send((await receive()).ticket)).rejects.toThrow('has no cards of the merchant');
  });

  test('survive a crash in the middle: the same pages are imported again, in order', async () => {
    const card = await store();
    const file = await send((await receive()).ticket);
    await importPages({ ...file, pages: file.pages.slice(0, 2) });
    const skipped = importPages({ ...file, pages: file.pages.slice(3) });
    await expect(skipped).rejects.toThrow('Page 2 is missing');
    expect(await importPages(file)).toBe(true);
    expect(await charge(target, card)).toBe(NUMBER);
    await expect(importPages(file)).rejects.toThrow('has ended or expired');
  });

  test('move back to the vault that has destroyed them', async () => {
    const card = await store();
    await transfer();
    await source.admin('/destroy', { merchant_id, mode: 'sandbox' });
    expect(await charge(source, card)).toBe('unknown_token');
    const back = await receive(source);
    await target.restart({ sends_cards_to: [back.digest] });
    expect(await importPages(await send(back.ticket, {}, target), source)).toBe(true);
    await source.restart();
    expect(await charge(source, card)).toBe(NUMBER);
    expect((await source.ingest({ merchant_id })).fingerprint).toBe(card.fingerprint);
  });
});

describe('a vault', () => {
  test('sends no cards to a vault that its operator did not name, nor by a changed or old ticket', async () => {
    await store();
    const stranger = await startTestVault();
    const { ticket } = await receive(stranger);
    await stranger[Symbol.asyncDispose]();
    await expect(send(ticket)).rejects.toThrow('VAULT_SENDS_CARDS_TO');
    const own = (await receive()).ticket;
    const [prefix, body = ''] = own.split('.');
    const value = JSON.parse(Buffer.from(body, 'base64url').toString());
    const changed = Buffer.from(JSON.stringify({ ...value, merchant_id: 'merchant-b' }));
    await expect(send(`${prefix}.${changed.toString('base64url')}`)).rejects.toThrow('not signed');
    source.clock.now += 25 * 60 * 60 * 1000;
    await expect(send(own)).rejects.toThrow('expired');
  });

  test('imports no changed page, and none of another import', async () => {
    await store();
    const first = await send((await receive()).ticket);
    const second = await send((await receive()).ticket);
    await expect(importPages(first)).rejects.toThrow('has ended or expired');
    const [number, key, sealed = ''] = second.pages[0]!.split('.');
    const changed = `${number}.${key}.${sealed.slice(0, -4)}AAAA`;
    await expect(importPages({ ...second, pages: [changed] })).rejects.toThrow('was changed');
    const mixed = { ...second, pages: [first.pages[0]!] };
    await expect(importPages(mixed)).rejects.toThrow('was changed');
  });

  test('that takes cards of the merchant itself imports none, and one without cards sends none', async () => {
    await expect(transfer()).rejects.toThrow('has no cards of the merchant');
    await store();
    await store(OTHER_NUMBER, target);
    await expect(transfer()).rejects.toThrow('takes cards of the merchant itself');
  });

  test('keeps the key of an import when the root key rotates, and deletes the key at the end', async () => {
    const card = await store();
    const { ticket } = await receive();
    expect(await target.admin('/rotate', { key: 'root' })).toMatchObject({ ok: true });
    const [row] = await target.database.query('select root_version from vault.card_imports');
    expect(row).toMatchObject({ root_version: 2 });
    await importPages(await send(ticket));
    expect(await charge(target, card)).toBe(NUMBER);
    expect(await target.database.query('select 1 from vault.card_imports')).toEqual([]);
  });
});
