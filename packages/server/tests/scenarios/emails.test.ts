import { randomUUID } from 'node:crypto';
import { type ClonedDatabase, cloneDatabase } from '@florin/dev-env/databases.ts';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { insertLogo, setLogo } from '../../src/features/documents/logo/sql.ts';
import { createDocumentRenderer } from '../../src/features/documents/render.ts';
import { EMAIL_RETRY_WAITS_SECONDS } from '../../src/features/emails/decide.ts';
import { claimEmails } from '../../src/features/emails/sql.ts';
import { createEmailTexts } from '../../src/features/emails/texts-on-read.ts';
import {
  type EmailServices,
  LEASE_S,
  startLiveEmailsLoop,
} from '../../src/features/emails/workers/send-emails.ts';
import { writeEmails } from '../../src/features/emails/write.ts';
import { type Catalog, loadCatalog } from '../../src/platform/database/catalog.ts';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';
import type { Row } from '../../src/platform/database/row.ts';
import { insertRows } from '../../src/platform/database/rows.ts';
import type { MailServer as MailServerConfig } from '../../src/platform/emails/mailer.ts';
import { type MailerLimits, mailerLimits } from '../../src/platform/emails/mailer.ts';
import { instantText } from '../../src/platform/time/clock.ts';
import { createSignal } from '../../src/platform/workers/signal.ts';
import { duePayment } from '../support/due.ts';
import { type MailServer, type MailServerOptions, openMailServer } from '../support/mail-server.ts';
import { eventually } from '../support/make.ts';
import { createMovableClock } from '../webhooks/testbed.ts';

const FROM = 'receipts@florin.example';
const clock = createMovableClock();
const logLines: string[] = [];
let database: ClonedDatabase;
let db: Database;
let catalog: Catalog;
let documents: EmailServices['documents'];
let cleanup = new AsyncDisposableStack();

beforeAll(async () => {
  database = await cloneDatabase();
  db = openDatabase({ url: database.url, connections_max: 8 });
  catalog = await loadCatalog(db);
  documents = createDocumentRenderer();
});
afterEach(async () => {
  await cleanup.disposeAsync();
  cleanup = new AsyncDisposableStack();
  logLines.length = 0;
  await db.query('truncate letters', []);
});
afterAll(async () => {
  await documents?.[Symbol.asyncDispose]();
  await db?.[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
});

const startMailServer = async (options?: MailServerOptions): Promise<MailServer> =>
  cleanup.use(await openMailServer(options));

const configFor = ({ port }: Pick<MailServer, 'port'>): MailServerConfig => ({
  host: '127.0.0.1',
  port,
  secure: false,
  from: FROM,
});

/** A process with a mail server, which need not answer while emails are written. */
const SENDING = { smtp: configFor({ port: 25 }) };

/** Starts the loops of one process. */
function startEmails(smtp?: MailServerConfig, limits: Partial<MailerLimits> = {}): void {
  const services: EmailServices = {
    db,
    catalog,
    clock,
    timelines: { of: () => ({ clock }) } as unknown as EmailServices['timelines'],
    documents,
    logger: pino({ level: 'info' }, { write: (line) => void logLines.push(line) }),
    config: { work_poll_ms: 10, ...(smtp && { smtp }) },
    wake: { emails: createSignal() },
  };
  cleanup.use(startLiveEmailsLoop(services, { ...mailerLimits, ...limits }));
}

/** Stores payments of one merchant with separate customers, and a receipt for each. By default, a process sends them. */
async function writeReceipts(
  addresses: readonly string[],
  merchant: Row = {},
  config: Partial<typeof SENDING> = SENDING,
): Promise<readonly Row[]> {
  const now = clock.now();
  const times = { created_at: instantText(now), updated_at: instantText(now) };
  const merchant_id = randomUUID();
  await insertMerchant({ id: merchant_id, business_name: 'Roses', ...merchant, ...times });
  const customers = addresses.map((email) => ({
    merchant_id,
    mode: 'live',
    id: randomUUID(),
    email,
    ...times,
  }));
  await insertRows(db, catalog, 'customers', customers);
  const payments = customers.map(({ id }) => ({
    ...duePayment(merchant_id, now),
    mode: 'live',
    payer_id: id,
  }));
  await insertRows(db, catalog, 'payment_demands', payments);
  const paidPayments = payments.map((payment) => ({
    ...payment,
    amount_captured_cents: '2500',
    succeeded_at: instantText(now),
  }));
  const emails = paidPayments.map((payment) => ({ kind: 'receipt', payment }) as const);
  await db.transaction((tx) => writeEmails({ catalog, clock, config }, tx, emails, now));
  return paidPayments;
}

/** Inserts a row; the table fills in missing columns. */
const insertMerchant = (row: Row): Promise<Row[]> => {
  const placeholders = Object.keys(row).map((_, at) => `$${at + 1}`);
  return db.query(
    `insert into merchants (${Object.keys(row)}) values (${placeholders})`,
    Object.values(row),
  );
};

const readEmails = (): Promise<Row[]> => db.query('select * from letters order by to_email', []);
const waitForEmails = (isExpected: (rows: Row[]) => boolean): Promise<Row[]> =>
  eventually(readEmails, isExpected);
const areFinal = (rows: Row[]): boolean => rows.every(({ status }) => status !== 'pending');
const haveAttempts =
  (count: number) =>
  (rows: Row[]): boolean =>
    rows.every(({ tries_count }) => Number(tries_count) === count);

/** Makes a payment one that succeeded, which has a document. */
const markPaid = (payment: Row | undefined): Promise<Row[]> =>
  db.query(
    `update payment_demands set amount_authorised_cents = 2500, amount_captured_cents = 2500,
       succeeded_at = created_at where id = $1`,
    [payment?.id],
  );

/** Names of the attached files of all emails. */
const filesIn = ({ mails }: MailServer) => mails.map(({ raw }) => /filename=(\S+)/.exec(raw)?.[1]);

it('a live email is sent as HTML and text, from its merchant', async () => {
  const mailServer = await startMailServer();
  const support = { business_support_email: 'help@roses.example' };
  await writeReceipts(['ada@example.com'], { brand_name: 'Rose & Co', ...support });
  startEmails(configFor(mailServer));
  const [email] = await waitForEmails(areFinal);
  expect(email).toMatchObject({ status: 'sent', tries_count: '1', failure_reason: null });
  expect(email?.sent_at).not.toBeNull();
  const [message, ...otherMessages] = mailServer.mails;
  expect(otherMessages).toEqual([]);
  expect(message).toMatchObject({ from: FROM, to: ['ada@example.com'] });
  expect(Object.fromEntries(message?.headers ?? [])).toMatchObject({
    from: `"Rose & Co" <${FROM}>`,
    to: 'ada@example.com',
    'reply-to': 'help@roses.example',
    subject: 'Your receipt from Rose & Co',
    'message-id': `<${email?.id}@florin.example>`,
    'auto-submitted': 'auto-generated',
    'content-type': expect.stringMatching(/^multipart\/alternative/),
  });
  expect(message?.raw).toContain('Content-Type: text/plain; charset=utf-8');
  expect(message?.raw).toContain('Content-Type: text/html; charset=utf-8');
});

it('without a mail server a live email fails at once, with the reason', async () => {
  await writeReceipts(['ada@example.com'], {}, {});
  const [email] = await readEmails();
  expect(email).toMatchObject({ status: 'failed', failure_reason: 'not_configured', html: null });
  expect(email).toMatchObject({ tries_count: '1', due_at: null });
  const { text } = createEmailTexts({ logger: pino({ enabled: false }) }).compute(email as Row);
  expect(text).toContain('$25.00');
});

it('an email that waited for a mail server fails when there is none any more', async () => {
  await writeReceipts(['ada@example.com']);
  startEmails();
  const [email] = await waitForEmails(areFinal);
  expect(email).toMatchObject({ status: 'failed', failure_reason: 'not_configured' });
  expect(email?.text).toContain('$25.00');
});

it('one cause writes one email', async () => {
  const payments = await writeReceipts(['ada@example.com']);
  const duplicates = payments.map((payment) => ({ kind: 'receipt', payment }) as const);
  const services = { catalog, clock, config: SENDING };
  await db.transaction((tx) => writeEmails(services, tx, duplicates, clock.now()));
  expect(await readEmails()).toHaveLength(1);
});

it('an email that the server defers is sent later, with the same id', async () => {
  const mailServer = await startMailServer({ answer: (nth) => ({ code: nth < 3 ? 451 : 250 }) });
  await writeReceipts(['ada@example.com']);
  startEmails(configFor(mailServer));
  for (const attempt of [1, 2]) {
    const [email] = await waitForEmails(haveAttempts(attempt));
    expect(email).toMatchObject({ status: 'pending', failure_reason: 'deferred' });
    clock.advance(EMAIL_RETRY_WAITS_SECONDS[attempt - 1] as number);
  }
  const [email] = await waitForEmails(areFinal);
  expect(email).toMatchObject({ status: 'sent', tries_count: '3', failure_reason: null });
  const ids = mailServer.mails.map(({ headers }) => headers.get('message-id'));
  expect(ids).toEqual(Array(3).fill(`<${email?.id}@florin.example>`));
});

it('the receipt of a succeeded payment has its document attached, with the same number in each try', async () => {
  const mailServer = await startMailServer({ answer: (nth) => ({ code: nth === 1 ? 451 : 250 }) });
  const [payment] = await writeReceipts(['ada@example.com']);
  await markPaid(payment);
  startEmails(configFor(mailServer));
  await waitForEmails(haveAttempts(1));
  clock.advance(EMAIL_RETRY_WAITS_SECONDS[0]);
  await waitForEmails(areFinal);
  expect(filesIn(mailServer)).toEqual(['REC-000001.pdf', 'REC-000001.pdf']);
  const encodedStart = Buffer.from('%PDF-1.').toString('base64').slice(0, 8);
  expect(mailServer.mails[1]?.raw).toContain(`\r\n${encodedStart}`);
});

it('an email carries the uploaded logo of its merchant, and shows it', async () => {
  const mailServer = await startMailServer();
  const [payment] = await writeReceipts(['ada@example.com']);
  const merchant_id = payment?.merchant_id as string;
  const id = randomUUID();
  const content = Buffer.from('a picture');
  await insertLogo(db, {
    ...{ merchant_id, id, content, content_type: 'image/png' },
    ...{ sha256_hash: 'a'.repeat(64), at: instantText(clock.now()) },
  });
  await setLogo(db, merchant_id, id);
  startEmails(configFor(mailServer));
  await waitForEmails(areFinal);
  const raw = mailServer.mails[0]?.raw.replaceAll('=\r\n', '') ?? '';
  expect(raw).toContain(`src=3D"cid:${id}@logo"`);
  expect(raw).toContain(`Content-ID: <${id}@logo>`);
  expect(raw).toContain(content.toString('base64'));
  expect(filesIn(mailServer)).toEqual(['logo.png']);
});

it('a receipt whose document meets a passing error is sent later, with the document', async () => {
  const mailServer = await startMailServer();
  const [payment] = await writeReceipts(['ada@example.com']);
  await markPaid(payment);
  await db.transaction(async (tx) => {
    await tx.query('lock table document_counters', []);
    startEmails(configFor(mailServer));
    await eventually(
      async () => logLines.join(''),
      (log) => log.includes('email outcome not recorded'),
    );
  });
  expect(mailServer.mails).toEqual([]);
  clock.advance(LEASE_S);
  await waitForEmails(areFinal);
  expect(filesIn(mailServer)).toEqual(['REC-000001.pdf']);
});

it('a repeatedly deferred email is given up', async () => {
  const mailServer = await startMailServer({ answer: () => ({ code: 451 }) });
  await writeReceipts(['ada@example.com']);
  startEmails(configFor(mailServer));
  for (const [nth, wait] of EMAIL_RETRY_WAITS_SECONDS.entries()) {
    await waitForEmails(haveAttempts(nth + 1));
    clock.advance(wait);
  }
  const [email] = await waitForEmails(areFinal);
  expect(email).toMatchObject({ status: 'failed', failure_reason: 'deferred', due_at: null });
  expect(mailServer.mails).toHaveLength(EMAIL_RETRY_WAITS_SECONDS.length + 1);
});

it.each([
  ['a recipient', { refuse: () => 550 }, 0],
  ['a message', { answer: () => ({ code: 554 }) as const }, 1],
])('a mail server that refuses %s is not retried', async (_title, options, mailCount) => {
  const mailServer = await startMailServer(options);
  await writeReceipts(['nobody@example.com']);
  startEmails(configFor(mailServer));
  const [email] = await waitForEmails(areFinal);
  expect(email).toMatchObject({ status: 'failed', failure_reason: 'refused', tries_count: '1' });
  expect(mailServer.mails).toHaveLength(mailCount);
});

it('a refused recipient delays no other email', async () => {
  const mailServer = await startMailServer({
    refuse: (to) => (to.startsWith('no') ? 550 : undefined),
  });
  await writeReceipts(['ada@example.com', 'nobody@example.com', 'zoe@example.com']);
  startEmails(configFor(mailServer));
  const emails = await waitForEmails(areFinal);
  expect(emails.map(({ status }) => status)).toEqual(['sent', 'failed', 'sent']);
});

it('an email that cannot be rendered delays no other', async () => {
  const mailServer = await startMailServer();
  await writeReceipts(['ada@example.com', 'zoe@example.com']);
  const brokenFacts = `{"amount_cents": "x", "amount_currency": "no currency"}`;
  await db.query(`update letters set facts = $1 where to_email like 'ada%'`, [brokenFacts]);
  startEmails(configFor(mailServer));
  const [ada, zoe] = await waitForEmails(areFinal);
  expect(ada).toMatchObject({ status: 'failed', failure_reason: 'unwritable', html: null });
  expect(zoe?.status).toBe('sent');
});

it('a mail server that falls silent times out, and is retried later', async () => {
  const mailServer = await startMailServer({
    answer: (nth) => (nth === 1 ? 'hang' : { code: 250 }),
  });
  await writeReceipts(['ada@example.com']);
  startEmails(configFor(mailServer), { silence_ms: 1_000 });
  const [email] = await waitForEmails(haveAttempts(1));
  expect(email).toMatchObject({ status: 'pending', failure_reason: 'timed_out' });
  clock.advance(EMAIL_RETRY_WAITS_SECONDS[0]);
  expect((await waitForEmails(areFinal))[0]).toMatchObject({ status: 'sent', tries_count: '2' });
});

it('a mail server that accepts an email byte by byte times out as well', async () => {
  const mailServer = await startMailServer({ answer: () => 'trickle' });
  await writeReceipts(['ada@example.com']);
  startEmails(configFor(mailServer), { silence_ms: 1_000, email_timeout_ms: 500 });
  const [email] = await waitForEmails(haveAttempts(1));
  expect(email).toMatchObject({ status: 'pending', failure_reason: 'timed_out' });
});

it('a server that crashes between two emails loses neither; a repeat has the same id', async () => {
  const mailServer = await startMailServer({
    answer: (nth) => (nth === 2 ? 'die' : { code: 250 }),
  });
  await writeReceipts(['ada@example.com', 'zoe@example.com']);
  startEmails(configFor(mailServer));
  await waitForEmails(haveAttempts(1));
  clock.advance(EMAIL_RETRY_WAITS_SECONDS[0]);
  const emails = await waitForEmails(areFinal);
  expect(emails.map(({ status }) => status)).toEqual(['sent', 'sent']);
  const ids = new Set(mailServer.mails.map(({ headers }) => headers.get('message-id')));
  expect(ids).toEqual(new Set(emails.map(({ id }) => `<${id}@florin.example>`)));
  expect(mailServer.mails.length).toBeGreaterThan(2);
});

it('an unreachable mail server is retried, and logged once', async () => {
  const { port, [Symbol.asyncDispose]: close } = await openMailServer();
  await close();
  await writeReceipts(['ada@example.com', 'zoe@example.com']);
  startEmails(configFor({ port }));
  for (const email of await waitForEmails(haveAttempts(1))) {
    expect(email).toMatchObject({ status: 'pending', failure_reason: 'unreachable' });
  }
  expect(logLines).toEqual([expect.stringContaining('the mail server accepts no emails')]);
  expect(logLines.join('')).not.toContain('ada@example.com');
});

it('concurrent processes send each email once, over a few connections', async () => {
  const mailServer = await startMailServer();
  const emails = Array.from({ length: 60 }, (_, nth) => `c${nth}@example.com`);
  await writeReceipts(emails);
  startEmails(configFor(mailServer));
  startEmails(configFor(mailServer));
  await waitForEmails(areFinal);
  expect(mailServer.mails.flatMap(({ to }) => to).toSorted()).toEqual(emails.toSorted());
  expect(mailServer.peakConnections()).toBeLessThanOrEqual(16);
  expect(mailServer.connectionCount()).toBeLessThan(emails.length);
});

it('claims take equal parts of all merchants, whatever their backlog and order', async () => {
  const addresses = Array.from({ length: 30 }, (_, nth) => `c${nth}@example.com`);
  await writeReceipts(addresses);
  clock.advance(1);
  await writeReceipts(['ada@example.com', 'zoe@example.com']);
  const now = instantText(clock.now());
  const claim = (limit: number) =>
    claimEmails(db, { mode: 'live', now, lease_until: now, limit, within: undefined });
  const owners = Map.groupBy(await claim(4), ({ merchant_id }) => merchant_id);
  expect([...owners.values()].map(({ length }) => length)).toEqual([2, 2]);
});

it('no text by a merchant or a customer becomes a header or a recipient', async () => {
  const mailServer = await startMailServer();
  const injection = 'Roses\r\nBcc: all@example.com\r\n\r\n<script>';
  await writeReceipts(['zoe@example.com', 'ada@example.com\r\nBcc:all@example.com'], {
    brand_name: injection,
    business_support_email: 'help@roses.example\r\nBcc: all@example.com',
  });
  const quoted = { brand_name: `"${injection}" <x@y.z>, all@example.com` };
  await writeReceipts(['"a,all@example.com,b"@example.com', 'joe@example.com'], quoted);
  startEmails(configFor(mailServer));
  await waitForEmails(haveAttempts(1));
  const recipients = mailServer.mails.flatMap(({ to }) => to);
  expect(recipients).toEqual(expect.arrayContaining(['joe@example.com', 'zoe@example.com']));
  expect(recipients).not.toContain('all@example.com');
  for (const { headers, to } of mailServer.mails) {
    expect(to).toHaveLength(1);
    expect([...headers.keys()]).not.toContain('bcc');
    expect(headers.get('from')).toMatch(new RegExp(`<${FROM}>$`));
  }
});

it('a password is not sent over an unencrypted connection', async () => {
  const mailServer = await startMailServer();
  await writeReceipts(['ada@example.com']);
  startEmails({ ...configFor(mailServer), auth: { user: 'florin', pass: 'secret' } });
  const [email] = await waitForEmails(haveAttempts(1));
  expect(email).toMatchObject({ status: 'pending', failure_reason: 'unreachable' });
  expect(mailServer.mails).toEqual([]);
});
