import { open, readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { sendVaultCommand } from '../api/vault-command.ts';
import { codeOf } from '../database/client.ts';
import { createWhole } from '../kernel/create-whole.ts';
import { PlainFailure } from '../kernel/plain-failure.ts';

/** Words of `vault cards`, without options. */
export interface CardsCommand {
  readonly words: readonly string[];
  /** Time from which cards are sent; earlier ones are named only. */
  readonly since: string | undefined;
}

/** First line of a file with sealed cards. */
const HEAD = 'florin-cards-1';
const MODES = ['live', 'sandbox'] as const;

type Call = (path: string, body: object) => Promise<Answer>;

interface Answer {
  readonly data?: string;
  readonly next?: unknown;
  readonly import_id?: string;
  readonly is_last?: boolean;
  readonly merchant_id?: string;
  readonly vault_id?: string;
}

type Print = (sentence: string) => void;

/** Moves the cards of a merchant from one vault to another: a ticket, a file of sealed cards, and a receipt. */
export async function vaultCards(
  socketPath: string,
  { words, since }: CardsCommand,
  print: Print,
): Promise<boolean> {
  const [verb, from = '', to = ''] = words;
  const run = RUNS[verb as keyof typeof RUNS];
  if (!run || !from || !to || words.length > 3) return false;
  const call: Call = async (path, body) => {
    const sentences: string[] = [];
    const answer = await sendVaultCommand(socketPath, { path, body }, (text) =>
      sentences.push(text),
    );
    if (!answer.ok) throw new PlainFailure(sentences.join(' '));
    if (path === '/cards/receive') sentences.forEach(print);
    return answer as Answer;
  };
  await run(call, { from, to, since }, print);
  return true;
}

interface Files {
  readonly from: string;
  readonly to: string;
  readonly since: string | undefined;
}

const RUNS = { receive, send, import: importCards } as const;

async function receive(call: Call, { from: merchant_id, to }: Files, print: Print): Promise<void> {
  const { data = '' } = await call('/cards/receive', { merchant_id });
  await write(to, `${data}\n`);
  print(`The ticket is in ${to}. Within a day, run "vault cards send" with it at the other vault.`);
}

async function send(call: Call, { from, to, since }: Files, print: Print): Promise<void> {
  const ticket = (await read(from)).trim();
  await using file = await create(to);
  let [number, position, import_id]: [number, unknown, string | undefined] = [0, undefined, ''];
  do {
    const body = {
      ticket,
      number,
      ...(since && { since }),
      ...(position !== undefined && { position }),
    };
    const answer = await call('/cards/send', body);
    ({ next: position, import_id } = answer);
    if (number === 0) await file.write(`${HEAD} ${import_id}\n`);
    await file.write(`${answer.data}\n`);
    number += 1;
  } while (position !== undefined);
  await file.sync();
  print(`${to} has ${number} pages, which only the vault of the ticket can open.`);
}

async function importCards(call: Call, { from, to }: Files, print: Print): Promise<void> {
  await using file = await open(from).catch((cause) => {
    throw failure(from, cause);
  });
  let [import_id, merchant_id, isLast]: [string | undefined, string, boolean] = ['', '', false];
  for await (const line of createInterface({ input: file.createReadStream() })) {
    if (import_id === '') {
      import_id = line.startsWith(`${HEAD} `) ? line.slice(HEAD.length + 1) : undefined;
      if (!import_id) throw new PlainFailure(`${from} is no file of "vault cards send".`);
      continue;
    }
    const answer = await call('/cards/store', { import_id, page: line });
    [merchant_id, isLast] = [answer.merchant_id ?? '', answer.is_last === true];
  }
  if (!isLast) throw new PlainFailure(`${from} is not complete. Send the cards again.`);
  const { count, text } = await receiptOf(call, merchant_id);
  await write(to, text);
  print(
    `This vault has ${count} cards of the merchant. The receipt is in ${to}: give it to "cell move --cards".`,
  );
}

/** Text of a receipt: the vault and the merchant, then digests of all tokens and fingerprints, a line each. */
async function receiptOf(
  call: Call,
  merchant_id: string,
): Promise<{ count: number; text: string }> {
  const [cards, fingerprints] = [
    await digestsOf(call, merchant_id, 'cards'),
    await digestsOf(call, merchant_id, 'fingerprints'),
  ];
  const head = `florin-card-receipt-1 ${cards.vault_id} ${merchant_id}`;
  const lines = [head, ...cards.digests, ...fingerprints.digests];
  return { count: cards.digests.length, text: `${lines.join('\n')}\n` };
}

async function digestsOf(
  call: Call,
  merchant_id: string,
  part: 'cards' | 'fingerprints',
): Promise<{ digests: readonly string[]; vault_id: string }> {
  const digests: string[] = [];
  let vault_id = '';
  for (const mode of MODES) {
    let after: unknown;
    do {
      const body = { merchant_id, mode, part, ...(after !== undefined && { after }) };
      const answer = await call('/cards/list', body);
      for (const digest of answer.data?.split(' ') ?? []) if (digest) digests.push(digest);
      vault_id = answer.vault_id ?? vault_id;
      after = answer.next;
    } while (after !== undefined);
  }
  return { digests, vault_id };
}

const failure = (file: string, cause: unknown): PlainFailure =>
  new PlainFailure(
    codeOf(cause) === 'EEXIST'
      ? `${file} exists: give another name.`
      : `${file} cannot be used: ${codeOf(cause)}.`,
    { cause },
  );

const read = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((cause) => {
    throw failure(file, cause);
  });

const write = (file: string, text: string): Promise<void> =>
  createWhole(file, text).catch((cause) => {
    throw failure(file, cause);
  });

const create = (file: string) =>
  open(file, 'wx', 0o600).catch((cause) => {
    throw failure(file, cause);
  });
